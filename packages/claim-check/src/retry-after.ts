const MAX_RETRY_AFTER_MS = 86_400_000;
const SECONDS = /^[0-9]{1,20}$/;
/** The only form that senders may write today: `Sun, 06 Nov 1994 08:49:37 GMT`. */
const HTTP_DATE = /^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/;

/** Reads a `retry-after` header, seconds or a date, as milliseconds from 0 to a day; null when there is none to read. */
export function retryAfterMs(header: string | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  const ms = SECONDS.test(text)
    ? Number(text) * 1000
    : HTTP_DATE.test(text)
      ? Date.parse(text) - Date.now()
      : Number.NaN;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), MAX_RETRY_AFTER_MS);
}

import { body } from "./body.js";

/** The end of a range, renewals, the cursor. */
export const commit = (s: string): string => `
-- Closes a range and writes what became of its messages; false, and nothing is written, when the range is somebody else's.
-- p_rows: [{id, key, policy, status, holds, attempts, delays, delay_ms, error, token, lease_ms}]; p_keys: of all its
-- messages; p_release: [{key, token}].
CREATE FUNCTION ${s}.commit_range(p_group integer, p_token uuid, p_rows jsonb, p_keys text[], p_release jsonb)
RETURNS boolean LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  DELETE FROM ${s}.range_lease WHERE token = p_token AND consumer_group_id = p_group;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  IF cardinality(p_keys) > 0 THEN
    PERFORM 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = ANY (p_keys)
    ORDER BY l.message_key FOR NO KEY UPDATE;
  END IF;
  IF jsonb_array_length(p_rows) > 0 THEN
    INSERT INTO ${s}.exception_queue (consumer_group_id, message_id, message_key, concurrency, status, holds, attempts, delays,
      can_run_after, last_error, lease_token, lease_expires)
    SELECT p_group, r.id, r.key, r.policy, r.status, r.holds, r.attempts, r.delays, ${s}.after_ms(r.delay_ms), r.error, r.token,
      CASE WHEN r.token IS NOT NULL THEN ${s}.after_ms(r.lease_ms) END
    FROM jsonb_to_recordset(p_rows) AS r (id bigint, key text, policy text, status text, holds boolean, attempts integer,
      delays integer, delay_ms float8, error text, token uuid, lease_ms float8);
  END IF;
  IF cardinality(p_keys) > 0 THEN
    PERFORM ${s}.release_keys(p_group, p_release);
    PERFORM ${s}.wake(p_group, p_keys);
  END IF;
  RETURN true;
END`)};

-- Renews leases by token and tells those that are still held. Keys and rows: the tokens of running handlers.
CREATE FUNCTION ${s}.renew(p_group integer, p_ranges uuid[], p_keys text[], p_tokens uuid[], p_lease_ms float8)
RETURNS TABLE (token uuid) LANGUAGE plpgsql SET jit = off AS ${body(`
BEGIN
  PERFORM 1 FROM ${s}.message_key_lease l WHERE l.consumer_group_id = p_group AND l.message_key = ANY (p_keys)
  ORDER BY l.message_key FOR NO KEY UPDATE;
  RETURN QUERY
  WITH ranges AS (
    UPDATE ${s}.range_lease r SET expires = ${s}.after_ms(p_lease_ms) WHERE r.token = ANY (p_ranges) RETURNING r.token
  ), keys AS (
    UPDATE ${s}.message_key_lease l SET expires = ${s}.after_ms(p_lease_ms)
    WHERE l.consumer_group_id = p_group AND l.message_key = ANY (p_keys) AND l.token = ANY (p_tokens) RETURNING l.token
  ), rows AS (
    UPDATE ${s}.exception_queue e SET lease_expires = ${s}.after_ms(p_lease_ms)
    WHERE e.consumer_group_id = p_group AND e.status = 'inflight' AND e.lease_token = ANY (p_tokens) RETURNING e.lease_token
  )
  SELECT r.token FROM ranges r UNION SELECT k.token FROM keys k UNION SELECT o.lease_token FROM rows o;
END`)};

-- Moves the cursor to what nothing open or unresolved is below of; never back.
CREATE FUNCTION ${s}.advance_cursor(p_group integer) RETURNS bigint LANGUAGE sql AS ${body(`
UPDATE ${s}.consumer_group g SET committed = greatest(g.committed, least(
  g.claimed,
  (SELECT min(r.low) FROM ${s}.range_lease r WHERE r.consumer_group_id = p_group),
  (SELECT min(e.message_id) - 1 FROM ${s}.exception_queue e
   WHERE e.consumer_group_id = p_group AND e.unresolved AND e.status <> 'dead')))
WHERE g.id = p_group RETURNING g.committed`)};
`;

import type { Message } from "@sinkwire/message";
import { shown } from "./style.js";

/** One message on one line, fit for a terminal. */
export function summary(message: Message): string {
  const { id, tenant_id, source_id, received_at, size, body, content_type } = message;
  const date = new Date(received_at);
  const when = Number.isNaN(date.getTime()) ? String(received_at) : date.toISOString();
  return shown(
    [id, `${tenant_id ?? ""}/${source_id}`, when, `${size} bytes ${body.form}`, content_type ?? "–"].join("  "),
  );
}

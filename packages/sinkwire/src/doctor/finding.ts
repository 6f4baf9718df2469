/** What one check found. `absent` is nothing bad: a client that nobody asked for. */
export interface Finding {
  readonly status: "pass" | "warn" | "fail" | "absent";
  readonly subject: string;
  readonly found: string;
  /** What to do; null when there is nothing to do. */
  readonly advice: string | null;
}

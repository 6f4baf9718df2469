import type { NewMessage, Policy } from "@sinkwire/inbox/steps";

/** What a script's group is like. Names as in the vectors. */
export interface ScriptGroup {
  readonly policy_override?: Policy | null;
  readonly default_policy?: Policy | null;
  readonly on_dead?: "release" | "hold";
  readonly max_retries?: number;
  readonly batch_size?: number;
  readonly max_ranges?: number;
  readonly lease_ms?: number;
}

/** One step of a script; `at` names the instance, `a` by default. */
export type Step =
  | { readonly op: "append"; readonly messages: readonly ScriptMessage[]; readonly tx?: string }
  | { readonly op: "begin" | "end" | "undo"; readonly tx: string }
  | { readonly op: "advance"; readonly ms: number }
  | { readonly op: "first_id"; readonly id: number }
  | { readonly op: "sweep" | "cursor" }
  | { readonly op: "crash"; readonly at?: string }
  | {
      readonly op: "claim" | "gate" | "start" | "commit" | "settle" | "stop" | "poll" | "mend" | "renew" | "returned";
      readonly at?: string;
      readonly id?: number;
    }
  | {
      readonly op: "finish" | "fail" | "permanent" | "delay" | "time_out";
      readonly id: number;
      readonly at?: string;
      readonly ms?: number;
    };

/** A message of a script. Its payload is its place. */
export type ScriptMessage = Pick<NewMessage, "key" | "policy" | "compacted">;

/** A script of what happens, step by step. */
export interface Script {
  readonly group?: ScriptGroup;
  readonly compacts?: boolean;
  readonly steps: readonly Step[];
}

/** A row as the vectors show it. */
export interface ScriptRow {
  readonly id: number;
  readonly key: string | null;
  readonly policy: Policy;
  readonly status: string;
  readonly attempts: number;
  readonly delays: number;
  /** Until it may run, from the last step on; only of `ready` rows. */
  readonly due_ms: number | null;
}

/** What a script left behind. */
export interface ScriptEnd {
  /** `[instance, id, attempt, fence]`, in the order of the starts; a fence of 0 is none. */
  readonly starts: readonly (readonly [string, number, number, number])[];
  readonly rows: readonly ScriptRow[];
  readonly cursor: number;
}

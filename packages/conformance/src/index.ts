export { ConformanceError, type ConformanceErrorCode } from "./errors.js";
export { expandUtf16 } from "./expand-utf16.js";
export { formatTable } from "./format-table.js";
export { formatFuzz } from "./fuzz/format-fuzz.js";
export { type FuzzOptions, type FuzzReport, fuzz } from "./fuzz/fuzz.js";
export type { SavedFinding } from "./fuzz/save-finding.js";
export type { FuzzCounts } from "./fuzz/tally.js";
export { checkVectors, generateVectors, type VectorChange, type VectorsOptions } from "./generate-vectors.js";
export { formatLint, type LintReport, lintSuite } from "./lint-suite.js";
export { type ErrorCode, loadErrorCodes } from "./load-error-codes.js";
export { loadImplementations } from "./load-implementations.js";
export { loadSuite } from "./load-suite.js";
export { markdownMatrix, updateMarkdownMatrix } from "./markdown-matrix.js";
export { describeDifference } from "./outcome.js";
export { type RunOptions, runConformance, runImplementation } from "./run-conformance.js";
export { showCase } from "./show-case.js";
export { toJson } from "./to-json.js";
export { toJUnit } from "./to-junit.js";
export type {
  CaseFailure,
  CaseKind,
  Command,
  ConformanceCase,
  ConformanceReport,
  ConformanceSuite,
  ExpectedError,
  FailureReason,
  Implementation,
  ImplementationResult,
  Json,
  JsonObject,
  LoadedCase,
  Outcome,
  Progress,
  RunFault,
  SuiteCounts,
} from "./types.js";

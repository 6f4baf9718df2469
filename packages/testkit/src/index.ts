export { answer, type OperationAnswer } from "./answer.js";
export { operations } from "./dispatch.js";
export { type TypedErrorCode, typedErrorCodes } from "./error-codes.js";
export type { Operation, OperationInput } from "./input.js";

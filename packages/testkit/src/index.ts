export { answer, type OperationAnswer } from "./answer.js";
export { type Operation, type OperationInput, operations } from "./dispatch.js";
export { type TypedErrorCode, typedErrorCodes } from "./error-codes.js";

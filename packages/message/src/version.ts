/** The version that {@link encodeMessage} writes. */
export const MESSAGE_VERSION = 1;
/** The lowest `v` that decodes. */
export const MIN_SUPPORTED_VERSION = 1;
/** The highest `v` that decodes; 2 is version 1 plus fields that a decoder ignores. */
export const MAX_SUPPORTED_VERSION = 2;

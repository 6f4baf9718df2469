export { fileStore } from "./file-store.js";
export { gatewayListener } from "./gateway-listener.js";

// The sockets of Workers, as smtp-session.mjs has them.
exports.connect = () => globalThis.connectToScript();

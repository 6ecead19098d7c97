// Stands in for the editor around the page: what the page posts is kept, its state survives a reload of the page.
const visit = new URLSearchParams(globalThis.location.search).get("visit");
const stored = globalThis.sessionStorage.getItem(visit);
let state = stored === null ? undefined : JSON.parse(stored);
const posted = [];

globalThis.panelHost = {
  posted,
  deliver: (message) => globalThis.postMessage(message, "*"),
};

globalThis.acquireVsCodeApi = () => ({
  postMessage: (message) => {
    posted.push(globalThis.structuredClone(message));
    globalThis.panelHost.answer?.(message);
    // A host outside the page, which is there before its first message.
    globalThis.askHost?.(message);
  },
  getState: () => state,
  setState: (next) => {
    state = next;
    globalThis.sessionStorage.setItem(visit, JSON.stringify(next));
  },
});

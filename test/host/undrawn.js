// A page that is not drawn has no frames and is never idle: what waits for either is called by a timer.
{
  const frame = () => performance.now();
  const idle = () => ({ didTimeout: false, timeRemaining: () => 10 });
  const frameMs = 200;

  const after = (ms, told) => (callback) => setTimeout(() => callback(told()), ms);
  window.requestAnimationFrame = after(frameMs, frame);
  window.cancelAnimationFrame = clearTimeout;
  window.requestIdleCallback = after(1, idle);
  window.cancelIdleCallback = clearTimeout;

  // The editor reads its server's messages from blobs, which the browser hands on through another process.
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      this.binaryType = "arraybuffer";
    }
  };
  window.FileReader = class extends FileReader {
    readAsArrayBuffer(data) {
      if (data instanceof ArrayBuffer) this.onload({ target: { result: data } });
      else super.readAsArrayBuffer(data);
    }
  };
}

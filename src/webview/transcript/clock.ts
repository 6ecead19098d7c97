import { useEffect, useState } from "preact/hooks";

/** The present time, renewed every second while `running`; undefined when nothing runs. */
export function useClock(running: boolean): number | undefined {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return running ? Math.max(now, Date.now()) : undefined;
}

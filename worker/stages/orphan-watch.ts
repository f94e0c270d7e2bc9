import { workerData } from 'node:worker_threads';

/** Thread entry: kills its process once the parent with the given id is gone; whoever adopts it has another id. */
const LOOK_MS = 500;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, LOOK_MS);

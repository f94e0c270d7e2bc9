import { servePrivate } from '../../worker/serve-private.ts';

await servePrivate(new URL('./private-stages.child.ts', import.meta.url));

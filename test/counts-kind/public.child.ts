import { servePublic } from '../../worker/serve-public.ts';

await servePublic(new URL('./public-stages.child.ts', import.meta.url));

import { ownModule } from '../services/own-module.ts';
import { servePublic } from './serve-public.ts';

/**
 * Process entry of opaline-public: workflow tasks, and the stages after the draw. It cannot read any source. This
 * process serves Temporal; public-stages.ts computes.
 */
await servePublic(ownModule('./public-stages', import.meta.url));

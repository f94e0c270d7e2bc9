import { ownModule } from '../services/own-module.ts';
import { servePrivate } from './serve-private.ts';

/**
 * Process entry of opaline-private, which reads the sources, meets the noise, and writes the private and the release
 * store. This process serves Temporal; private-stages.ts computes.
 */
await servePrivate(ownModule('./private-stages', import.meta.url));

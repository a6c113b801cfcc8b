import { buildDist } from './build-dist.ts'

/**
 * `npm run build`: makes `dist/` from the sources, in a second or two. `npm ci` runs it too. Nothing breaks without it:
 * Querent then runs from its sources and starts more slowly.
 */
await buildDist()

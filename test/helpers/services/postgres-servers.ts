import { requireService } from './require-service.ts'

/** The servers that a suite over our own database runs on: always the embedded one, and `DATABASE_URL` where it is set. */
export const postgresServers = (suite: string): readonly ('embedded' | 'external')[] =>
  requireService('DATABASE_URL', `${suite} on an external server`) === null
    ? ['embedded']
    : ['embedded', 'external']

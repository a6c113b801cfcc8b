import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Three projects, run in this order by `npm test`: the house rules, what needs no server, what needs one. */
export default defineConfig({
  test: {
    // Vitest leaves one processor to itself: on a machine with two it would run one file at a time, and much of what
    // the files do is wait for processes that they started.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    projects: [
      { test: { name: 'architecture', include: ['test/architecture.test.ts'] } },
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/architecture.test.ts', 'test/**/*.int.test.ts'],
          // Forked processes and browsers start slowly on a busy machine; no test is about speed.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.int.test.ts'],
          globalSetup: ['test/helpers/global-postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

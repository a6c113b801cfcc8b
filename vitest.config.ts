import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Colours are for terminals; picocolors takes `CI` for one. */
const env = { NO_COLOR: '1' }

/** A busy machine takes longer than the second that Vitest waits; whoever is right is not kept waiting. */
const expectation = { poll: { timeout: 30_000 } }

/**
 * Three projects, run in this order by `npm test`: the house rules, what needs no server, what needs one.
 *
 * `isolate: false`: to load the same modules anew for every file took a third to a half of the time. So a file leaves
 * nothing behind in its process: no global, no variable of the environment, no mocked module, no fake clock.
 */
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
          isolate: false,
          setupFiles: ['test/helpers/fixed-seed.ts'],
          env,
          expect: expectation,
          // Forked processes and browsers start slowly on a busy machine; no test is about speed.
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['test/**/*.int.test.ts'],
          globalSetup: ['test/helpers/services/global-postgres.ts'],
          isolate: false,
          setupFiles: ['test/helpers/fixed-seed.ts'],
          env,
          expect: expectation,
          testTimeout: 120_000,
          // Four times what a bot takes to start beside three servers.
          hookTimeout: 240_000,
        },
      },
    ],
  },
})

import type { Metrics } from '../core/metrics.ts'
import type { InSpan } from '../core/span.ts'

/** Spans whose durations are counted as stages too, those that failed as well. `now` gives milliseconds. */
export const withSpanTimings =
  (inSpan: InSpan, stage: Metrics['stage'], now: () => number = () => performance.now()): InSpan =>
  async (name, facts, work) => {
    const started = now()
    try {
      return await inSpan(name, facts, work)
    } finally {
      stage(name, now() - started)
    }
  }

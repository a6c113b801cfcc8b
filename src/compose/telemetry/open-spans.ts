import type { Config } from '../../config/config.ts'
import { type InSpan, withoutSpans } from '../../core/span.ts'
import type { Releasers } from '../../lib/make-releasers.ts'

/** Spans that go to the collector of the configuration, which is told the last of them on release; none without one. */
export const openSpans = async ({ telemetry }: Config, releasers: Releasers): Promise<InSpan> => {
  if (telemetry.collector === null) return withoutSpans
  const { endpoint, headers } = telemetry.collector
  const { makeSpans } = await import('../../telemetry/make-spans.ts')
  const spans = await makeSpans({ endpoint, headers: headers?.reveal() ?? null })
  releasers.push(() => spans.close())
  return spans.inSpan
}

import { AsyncLocalStorage } from 'node:async_hooks'
import type { Attributes, Context } from '@opentelemetry/api'
import { QuerentError } from '../domain/errors.ts'
import type { InSpan } from '../domain/operations/telemetry.ts'
import { redact } from '../lib/redact.ts'

/** Where to send spans: an OTLP endpoint over HTTP, as in `OTEL_EXPORTER_OTLP_ENDPOINT` (without `/v1/traces`). */
interface SpanOptions {
  readonly endpoint: string
  /** `name=value,name=value`, as in `OTEL_EXPORTER_OTLP_HEADERS`; values may be percent-encoded. */
  readonly headers?: string | null
  readonly serviceName?: string
}

/** Spans that are exported. */
export interface Spans {
  readonly inSpan: InSpan
  /** Sends the remaining spans, for at most two seconds: an endpoint that hangs must not block the exit. */
  close(): Promise<void>
}

const CLOSE_MS = 2_000

/** How long one batch may take, retries included. Its timers would otherwise keep a finished process alive. */
const EXPORT_MS = 3_000

/**
 * Exports spans to an OpenTelemetry collector. Nothing is registered globally, so libraries that look for a tracer
 * export nothing. An unavailable collector loses spans and has no other effect. A failed span has the error's code and
 * never its message, which may contain database values.
 */
export const makeSpans = async (options: SpanOptions): Promise<Spans> => {
  const [{ ROOT_CONTEXT, SpanStatusCode, trace }, sdk, { OTLPTraceExporter }, { resourceFromAttributes }] =
    await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
    ])
  const exporter = new OTLPTraceExporter({
    url: `${options.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: readHeaders(options.headers ?? ''),
    timeoutMillis: EXPORT_MS,
  })
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.serviceName ?? 'querent' }),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('querent')
  const current = new AsyncLocalStorage<Context>()

  const inSpan: InSpan = async (name, facts, work) => {
    const parent = current.getStore() ?? ROOT_CONTEXT
    const span = tracer.startSpan(name, { attributes: redactFacts(facts) }, parent)
    try {
      return await current.run(trace.setSpan(parent, span), () =>
        work({ set: more => void span.setAttributes(redactFacts(more)) }),
      )
    } catch (error) {
      span.setStatus({ code: SpanStatusCode.ERROR })
      span.setAttribute('error.type', error instanceof QuerentError ? error.code : nameOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  return {
    inSpan,
    close: async () => {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>(resolve => {
        timer = setTimeout(resolve, CLOSE_MS)
      })
      // Spans the collector did not take are lost.
      await Promise.race([provider.shutdown().catch(() => {}), late])
      clearTimeout(timer)
    },
  }
}

const redactFacts = (facts: Readonly<Record<string, unknown>>): Attributes =>
  Object.fromEntries(
    Object.entries(facts).map(([name, fact]) => [name, typeof fact === 'string' ? redact(fact) : fact]),
  ) as Attributes

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error)

const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(',').flatMap(pair => {
      const at = pair.indexOf('=')
      return at > 0 ? [[pair.slice(0, at).trim(), decode(pair.slice(at + 1).trim())]] : []
    }),
  )

const decode = (value: string): string => {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Log, type Metrics, silentLog } from '../domain/operations/telemetry.ts'
import { metricDefinitions as definitions } from './metric-definitions.ts'

/** Values read from the store at each scrape. */
export interface MetricGauges {
  readonly queues: readonly {
    readonly queue: string
    /** Jobs waiting for a worker, including those due later. */
    readonly waiting: number
    readonly active: number
    /** Jobs without further attempts. */
    readonly dead: number
    /** How long the oldest due job has waited, in seconds; 0 if none waits. */
    readonly oldestSeconds: number
  }[]
  /** Version of the selector that ranks candidates. */
  readonly selectorVersion: string
}

/** Metrics in a format Prometheus can read. */
export interface ServedMetrics {
  readonly metrics: Metrics
  readonly contentType: string
  /** Sets the source of store values. While they are unavailable, `querent_readings_up` is 0 and they are left out. */
  readFrom(read: (signal: AbortSignal) => Promise<MetricGauges>): void
  /** All metrics in Prometheus's text format. */
  render(): Promise<string>
}

/** Prometheus scrapes every 15 s or so and must not time out on an unavailable store. */
const READ_MS = 1_500

/**
 * Metrics of this process, in a registry of their own. Labels are closed sets: a value that does not look like a name,
 * or exceeds the limit, counts as `other`.
 */
export const makeMetrics = (options: { readonly log?: Log } = {}): ServedMetrics => {
  const { log = silentLog } = options
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <L extends string>(of: Definition<L>) => new Counter({ ...optionsOf(of), registers })
  const histogram = <L extends string>(of: Definition<L> & { readonly buckets: readonly number[] }) =>
    new Histogram({ ...optionsOf(of), buckets: [...of.buckets], registers })
  const gauge = <L extends string>(of: Definition<L>) => new Gauge({ ...optionsOf(of), registers })

  const questions = counter(definitions.questions)
  const questionSeconds = histogram(definitions.questionSeconds)
  const stages = histogram(definitions.stages)
  const modelCalls = counter(definitions.modelCalls)
  const modelTokens = counter(definitions.modelTokens)
  const modelMoney = counter(definitions.modelMoney)
  const modelSeconds = histogram(definitions.modelSeconds)
  const statements = counter(definitions.statements)
  const statementRows = counter(definitions.statementRows)
  const statementSeconds = histogram(definitions.statementSeconds)
  const votes = counter(definitions.votes)
  const digestRuns = counter(definitions.digestRuns)
  const jobs = counter(definitions.jobs)
  const jobSeconds = histogram(definitions.jobSeconds)
  const overtook = counter(definitions.overtook)
  const limited = counter(definitions.limited)

  const queueJobs = gauge(definitions.queueJobs)
  const oldest = gauge(definitions.oldest)
  const selector = gauge(definitions.selector)
  const up = gauge(definitions.up)

  const [outcome, model, origin, verdict] = [makeLabel(), makeLabel(), makeLabel(), makeLabel()]
  const [stageName, rule, queue, digestOutcome, version] = [
    makeLabel(),
    makeLabel(),
    makeLabel(),
    makeLabel(),
    makeLabel(),
  ]
  let read: ((signal: AbortSignal) => Promise<MetricGauges>) | null = null

  const takeReadings = async (): Promise<void> => {
    if (!read) return
    queueJobs.reset()
    oldest.reset()
    selector.reset()
    try {
      const readings = await within(READ_MS, read)
      for (const one of readings.queues) {
        const name = queue(one.queue)
        queueJobs.set({ queue: name, state: 'waiting' }, one.waiting)
        queueJobs.set({ queue: name, state: 'active' }, one.active)
        queueJobs.set({ queue: name, state: 'dead' }, one.dead)
        oldest.set({ queue: name }, one.oldestSeconds)
      }
      selector.set({ version: version(readings.selectorVersion) }, 1)
      up.set(1)
    } catch (error) {
      up.set(0)
      log.warn({ error }, 'could not read the queues for the metrics')
    }
  }

  return {
    contentType: registry.contentType,
    readFrom: given => {
      read = given
    },
    render: async () => {
      await takeReadings()
      return registry.metrics()
    },
    metrics: {
      questionEnded: given => {
        const labels = { outcome: outcome(given.outcome), source: given.from }
        questions.inc({ ...labels, cached: String(given.cached) })
        questionSeconds.observe(labels, given.milliseconds / 1000)
      },
      stage: (name, milliseconds) => stages.observe({ stage: stageName(name) }, milliseconds / 1000),
      modelCall: given => {
        const labels = { role: given.role, model: model(given.model) }
        modelCalls.inc({ ...labels, outcome: given.outcome })
        modelTokens.inc({ ...labels, kind: 'prompt' }, given.promptTokens)
        modelTokens.inc({ ...labels, kind: 'completion' }, given.completionTokens)
        modelMoney.inc(labels, given.money ?? 0)
        modelSeconds.observe(labels, given.milliseconds / 1000)
      },
      statement: given => {
        const by = { origin: origin(given.origin) }
        statements.inc({ ...by, verdict: verdict(given.verdict) })
        statementRows.inc(by, given.rows)
        statementSeconds.observe(by, given.milliseconds / 1000)
      },
      vote: value => votes.inc({ vote: value }),
      digestRun: given => digestRuns.inc({ outcome: digestOutcome(given) }),
      job: given => {
        const by = { queue: queue(given.queue) }
        jobs.inc({ ...by, outcome: given.outcome })
        jobSeconds.observe(by, given.milliseconds / 1000)
      },
      jobOvertook: name => overtook.inc({ queue: queue(name) }),
      rateLimited: name => limited.inc({ rule: rule(name) }),
    },
  }
}

interface Definition<L extends string> {
  readonly name: string
  readonly help: string
  readonly labels: readonly L[]
}

const optionsOf = <L extends string>({ name, help, labels }: Definition<L>) => ({
  name,
  help,
  labelNames: labels,
})

/** Gives up after a while, even if the work ignores its signal. */
const within = async <T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const signal = AbortSignal.timeout(ms)
  const late = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
  return Promise.race([work(signal), late])
}

/** The label for values that may not be one. */
export const otherLabel = 'other'

/** The name of a part, model or version: short, without spaces and quotes. */
const NAME = /^[a-z0-9][\w.:/@-]{0,79}$/i

/** Every new label value is another series that Prometheus stores. */
const MOST_VALUES = 64

/**
 * Accepts values that look like names, up to `most` different ones. Everything else (people's texts, too many names)
 * becomes `other`, so that metrics contain no texts and no unlimited series.
 */
export const makeLabel = (most: number = MOST_VALUES): ((value: string) => string) => {
  const known = new Set<string>()
  return value => {
    if (known.has(value)) return value
    if (known.size >= most || !NAME.test(value)) return otherLabel
    known.add(value)
    return value
  }
}

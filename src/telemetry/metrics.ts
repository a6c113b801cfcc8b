import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { type Log, type Metrics, silentLog } from '../domain/operations/telemetry.ts'

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
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, buckets: number[], ...labelNames: L[]) =>
    new Histogram({ name, help, buckets, labelNames, registers })
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers })

  const questions = counter(
    'querent_questions_total',
    'Questions that ended, by outcome.',
    ...['outcome', 'source', 'cached'],
  )
  const questionSeconds = histogram(
    'querent_question_duration_seconds',
    'Time from asking a question to its end.',
    answerBuckets,
    ...['outcome', 'source'],
  )
  const stages = histogram(
    'querent_stage_duration_seconds',
    'Time in one stage of answering a question.',
    stageBuckets,
    'stage',
  )
  const modelCalls = counter(
    'querent_model_calls_total',
    'Requests to models.',
    ...['role', 'model', 'outcome'],
  )
  const modelTokens = counter('querent_model_tokens_total', 'Tokens.', ...['role', 'model', 'kind'])
  const modelMoney = counter(
    'querent_model_money_total',
    'Money spent, by the configured prices; models without a price count as free.',
    ...['role', 'model'],
  )
  const modelSeconds = histogram(
    'querent_model_call_duration_seconds',
    'Time of one request to a model.',
    answerBuckets,
    ...['role', 'model'],
  )
  const statements = counter(
    'querent_statements_total',
    'Statements sent to the connected databases, by outcome.',
    ...['origin', 'verdict'],
  )
  const statementRows = counter(
    'querent_statement_rows_total',
    'Rows read from the connected databases.',
    'origin',
  )
  const statementSeconds = histogram(
    'querent_statement_duration_seconds',
    'Time of one statement.',
    stageBuckets,
    'origin',
  )
  const votes = counter('querent_votes_total', 'Votes on answers; a changed vote counts again.', 'vote')
  const digestRuns = counter('querent_digest_runs_total', 'Digest runs, by outcome.', 'outcome')
  const jobs = counter('querent_jobs_total', 'Attempts at jobs.', ...['queue', 'outcome'])
  const jobSeconds = histogram('querent_job_duration_seconds', 'Time of one attempt.', answerBuckets, 'queue')
  const overtook = counter(
    'querent_jobs_overtaking_total',
    'Jobs that ran before an older job of another workspace.',
    'queue',
  )
  const limited = counter(
    'querent_rate_limited_total',
    'Questions and statements that a limit held back.',
    'rule',
  )

  const queueJobs = gauge(
    'querent_queue_jobs',
    'Jobs in a queue, across all processes.',
    ...['queue', 'state'],
  )
  const oldest = gauge(
    'querent_queue_oldest_job_age_seconds',
    'How long the oldest job that is due has waited.',
    'queue',
  )
  const selector = gauge('querent_selector_info', 'Always 1; the selector in use is the label.', 'version')
  const up = gauge('querent_readings_up', '1 if the store could be read for this page, else 0.')

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

/** Upper bounds of histogram buckets in seconds, for work of milliseconds to half a minute. */
const stageBuckets: number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The same for work that waits for models, people or its turn: up to ten minutes. */
const answerBuckets: number[] = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600]

/** Upper bounds of histogram buckets in seconds, for work of milliseconds to half a minute. */
const stageBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const

/** The same for work that waits for models, people or its turn: up to ten minutes. */
const answerBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600] as const

/** Every metric of ours: its name for Prometheus, what it is, and its labels. docs/reference/metrics.md is made of it. */
export const metricDefinitions = {
  questions: {
    type: 'counter',
    name: 'querent_questions_total',
    help: 'Questions that ended, questions back included, by outcome.',
    labels: ['outcome', 'source', 'cached'],
  },
  questionSeconds: {
    type: 'histogram',
    name: 'querent_question_duration_seconds',
    help: 'Time from a question, or the reply to a question back, to its outcome.',
    labels: ['outcome', 'source'],
    buckets: answerBuckets,
  },
  stages: {
    type: 'histogram',
    name: 'querent_stage_duration_seconds',
    help: 'Time in one stage: steps of an answer, queries, posts to Slack and jobs, as in the traces.',
    labels: ['stage'],
    buckets: stageBuckets,
  },
  modelCalls: {
    type: 'counter',
    name: 'querent_model_calls_total',
    help: 'Requests to models, failed ones included.',
    labels: ['role', 'model', 'outcome'],
  },
  modelTokens: {
    type: 'counter',
    name: 'querent_model_tokens_total',
    help: 'Tokens of prompts and replies.',
    labels: ['role', 'model', 'kind'],
  },
  modelMoney: {
    type: 'counter',
    name: 'querent_model_money_total',
    help: 'Money spent, by `models.prices`; models without a price count as free.',
    labels: ['role', 'model'],
  },
  modelSeconds: {
    type: 'histogram',
    name: 'querent_model_call_duration_seconds',
    help: 'Time of one request to a model.',
    labels: ['role', 'model'],
    buckets: answerBuckets,
  },
  statements: {
    type: 'counter',
    name: 'querent_statements_total',
    help: 'Statements for the connected databases, as in the audit log.',
    labels: ['origin', 'verdict'],
  },
  statementRows: {
    type: 'counter',
    name: 'querent_statement_rows_total',
    help: 'Rows read from the connected databases.',
    labels: ['origin'],
  },
  statementSeconds: {
    type: 'histogram',
    name: 'querent_statement_duration_seconds',
    help: 'Time of one statement.',
    labels: ['origin'],
    buckets: stageBuckets,
  },
  votes: {
    type: 'counter',
    name: 'querent_votes_total',
    help: 'Votes on answers; a changed vote counts again.',
    labels: ['vote'],
  },
  digestRuns: {
    type: 'counter',
    name: 'querent_digest_runs_total',
    help: 'Runs of digests, by outcome.',
    labels: ['outcome'],
  },
  jobs: {
    type: 'counter',
    name: 'querent_jobs_total',
    help: 'Attempts at jobs: done, failed (tried again) or dead (given up).',
    labels: ['queue', 'outcome'],
  },
  jobSeconds: {
    type: 'histogram',
    name: 'querent_job_duration_seconds',
    help: 'Time of one attempt at a job.',
    labels: ['queue'],
    buckets: answerBuckets,
  },
  overtook: {
    type: 'counter',
    name: 'querent_jobs_overtaking_total',
    help: 'Jobs that ran before an older job of another workspace.',
    labels: ['queue'],
  },
  limited: {
    type: 'counter',
    name: 'querent_rate_limited_total',
    help: 'Questions and statements that a rate limit held back.',
    labels: ['rule'],
  },
  queueJobs: {
    type: 'gauge',
    name: 'querent_queue_jobs',
    help: 'Jobs in a queue, across all processes: waiting, active or dead.',
    labels: ['queue', 'state'],
  },
  oldest: {
    type: 'gauge',
    name: 'querent_queue_oldest_job_age_seconds',
    help: 'How long the oldest job that is due has waited.',
    labels: ['queue'],
  },
  selector: {
    type: 'gauge',
    name: 'querent_selector_info',
    help: 'Always 1; the label is the selector in use.',
    labels: ['version'],
  },
  up: {
    type: 'gauge',
    name: 'querent_readings_up',
    help: '1 if the store could be read for this page. If it is 0, the other gauges are missing.',
    labels: [],
  },
} as const

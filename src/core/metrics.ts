import type { ModelRole } from './model.ts'

/** What is counted and timed. Labels are closed sets: no names of people, databases' values or questions. */
export interface Metrics {
  questionEnded(given: {
    readonly outcome: string
    readonly from: 'slack' | 'digest' | 'command'
    readonly milliseconds: number
    readonly cached: boolean
  }): void
  stage(name: string, milliseconds: number): void
  modelCall(given: {
    readonly role: ModelRole
    readonly model: string
    readonly outcome: 'ok' | 'failed'
    readonly promptTokens: number
    readonly completionTokens: number
    readonly money: number | null
    readonly milliseconds: number
  }): void
  statement(given: {
    readonly origin: string
    readonly verdict: string
    readonly rows: number
    readonly milliseconds: number
  }): void
  vote(value: 'up' | 'down'): void
  digestRun(outcome: string): void
  job(given: {
    readonly queue: string
    readonly outcome: 'done' | 'failed' | 'dead'
    readonly milliseconds: number
  }): void
  /** A job went ahead of an older one of another workspace, which had more at work. */
  jobOvertook(queue: string): void
  rateLimited(rule: string): void
}

/** Nothing is counted. */
export const noMetrics: Metrics = {
  questionEnded: () => {},
  stage: () => {},
  modelCall: () => {},
  statement: () => {},
  vote: () => {},
  digestRun: () => {},
  job: () => {},
  jobOvertook: () => {},
  rateLimited: () => {},
}

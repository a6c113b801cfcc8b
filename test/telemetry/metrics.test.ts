import { describe, expect, it } from 'vitest'
import { withoutSpans } from '../../src/domain/operations/telemetry.ts'
import { withSpanTimings } from '../../src/telemetry/instrumentation.ts'
import { makeLabel, makeMetrics, otherLabel } from '../../src/telemetry/metrics.ts'

const linesOf = async (served: ReturnType<typeof makeMetrics>, name: string): Promise<string[]> =>
  (await served.render()).split('\n').filter(line => line.startsWith(name))

describe('metrics', () => {
  it('count and time what they are told, in seconds', async () => {
    const served = makeMetrics()
    const { metrics } = served
    metrics.questionEnded({ outcome: 'answered', from: 'slack', milliseconds: 1500, cached: false })
    metrics.questionEnded({ outcome: 'answered', from: 'slack', milliseconds: 500, cached: false })
    metrics.statement({ origin: 'question', verdict: 'ran', rows: 12, milliseconds: 20 })
    metrics.vote('up')
    metrics.digestRun('posted')
    metrics.job({ queue: 'question', outcome: 'dead', milliseconds: 10 })
    metrics.jobOvertook('question')
    metrics.rateLimited('person')
    metrics.modelCall({
      ...{ role: 'drafter', model: 'vendor/model-1.5:free', outcome: 'ok' },
      ...{ promptTokens: 100, completionTokens: 20, money: 0.25, milliseconds: 900 },
    })
    expect(await linesOf(served, 'querent_questions_total')).toEqual([
      'querent_questions_total{outcome="answered",source="slack",cached="false"} 2',
    ])
    expect(await linesOf(served, 'querent_question_duration_seconds_sum')).toEqual([
      'querent_question_duration_seconds_sum{outcome="answered",source="slack"} 2',
    ])
    expect(await linesOf(served, 'querent_model_tokens_total')).toEqual([
      'querent_model_tokens_total{role="drafter",model="vendor/model-1.5:free",kind="prompt"} 100',
      'querent_model_tokens_total{role="drafter",model="vendor/model-1.5:free",kind="completion"} 20',
    ])
    expect(await linesOf(served, 'querent_model_money_total{')).toHaveLength(1)
    expect(await linesOf(served, 'querent_statement_rows_total')).toEqual([
      'querent_statement_rows_total{origin="question"} 12',
    ])
    expect(await linesOf(served, 'querent_votes_total')).toEqual(['querent_votes_total{vote="up"} 1'])
    expect(await linesOf(served, 'querent_digest_runs_total')).toEqual([
      'querent_digest_runs_total{outcome="posted"} 1',
    ])
    expect(await linesOf(served, 'querent_jobs_total')).toEqual([
      'querent_jobs_total{queue="question",outcome="dead"} 1',
    ])
    expect(await linesOf(served, 'querent_jobs_overtaking_total')).toEqual([
      'querent_jobs_overtaking_total{queue="question"} 1',
    ])
    expect(await linesOf(served, 'querent_rate_limited_total')).toEqual([
      'querent_rate_limited_total{rule="person"} 1',
    ])
  })

  it('are this one registry alone, with the process beside', async () => {
    makeMetrics().metrics.vote('down')
    const served = makeMetrics()
    expect(await linesOf(served, 'querent_votes_total')).toEqual([])
    expect(await linesOf(served, 'process_resident_memory_bytes')).toHaveLength(1)
    expect(await linesOf(served, 'nodejs_eventloop_lag_p99_seconds')).toHaveLength(1)
  })

  it('are named as Prometheus wants them', async () => {
    const served = makeMetrics()
    const types = (await served.render())
      .split('\n')
      .flatMap(line => /^# TYPE (querent_\w+) (\w+)$/.exec(line)?.slice(1) ?? [])
    const pairs = types.flatMap((name, index) => (index % 2 === 0 ? [[name, types[index + 1]] as const] : []))
    expect(pairs.length).toBeGreaterThan(15)
    for (const [name, type] of pairs) {
      expect(name, name).toMatch(/^querent(_[a-z]+)+$/)
      expect(name.endsWith('_total'), name).toBe(type === 'counter')
      if (type === 'histogram') expect(name).toMatch(/_seconds$/)
    }
  })

  it('carry no text of a person in any label', async () => {
    const served = makeMetrics()
    const { metrics } = served
    const text = 'How much did Jane Doe earn?'
    metrics.questionEnded({ outcome: text, from: 'slack', milliseconds: 1, cached: true })
    metrics.stage(text, 1)
    metrics.statement({ origin: text, verdict: text, rows: 0, milliseconds: 1 })
    metrics.digestRun(text)
    metrics.job({ queue: text, outcome: 'done', milliseconds: 1 })
    metrics.jobOvertook(text)
    metrics.rateLimited(text)
    metrics.modelCall({
      ...{ role: 'judge', model: text, outcome: 'failed' },
      ...{ promptTokens: 0, completionTokens: 0, money: null, milliseconds: 1 },
    })
    served.readFrom(async () => ({
      queues: [{ queue: text, waiting: 1, active: 0, dead: 0, oldestSeconds: 3 }],
      selectorVersion: text,
    }))
    const page = await served.render()
    expect(page).not.toContain('Jane')
    expect(page).toContain('querent_questions_total{outcome="other",source="slack",cached="true"} 1')
    expect(page).toContain('querent_queue_oldest_job_age_seconds{queue="other"} 3')
  })

  it('show what was read for this page, and nothing if it cannot be read', async () => {
    const served = makeMetrics()
    let away = false
    served.readFrom(async () => {
      if (away) throw new Error('the store is away')
      return {
        queues: [{ queue: 'question', waiting: 4, active: 2, dead: 1, oldestSeconds: 7.5 }],
        selectorVersion: 'shipped-1',
      }
    })
    const page = await served.render()
    expect(page).toContain('querent_queue_jobs{queue="question",state="waiting"} 4')
    expect(page).toContain('querent_queue_jobs{queue="question",state="dead"} 1')
    expect(page).toContain('querent_queue_oldest_job_age_seconds{queue="question"} 7.5')
    expect(page).toContain('querent_selector_info{version="shipped-1"} 1')
    expect(page).toContain('querent_readings_up 1')
    away = true
    const later = await served.render()
    expect(later).not.toContain('querent_queue_jobs{')
    expect(later).toContain('querent_readings_up 0')
  })
})

describe('a label', () => {
  it('takes so many names and no more', () => {
    const label = makeLabel(2)
    expect([label('a'), label('b'), label('c'), label('a')]).toEqual(['a', 'b', otherLabel, 'a'])
  })
})

describe('spans that are timed', () => {
  it('count as stages, also where the work failed', async () => {
    const stages: unknown[] = []
    let clock = 0
    const inSpan = withSpanTimings(
      withoutSpans,
      (name, milliseconds) => void stages.push([name, milliseconds]),
      () => clock,
    )
    await inSpan('find-values', {}, async () => {
      clock += 30
    })
    await expect(
      inSpan('draft-sql', {}, async () => {
        clock += 5
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(stages).toEqual([
      ['find-values', 30],
      ['draft-sql', 5],
    ])
  })
})

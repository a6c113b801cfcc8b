import { describe, expect, it } from 'vitest'
import { findClarification } from '../../../src/clarification/find-clarification.ts'
import { asked, byPort, draft, openHarborRuns, pathOf } from './harbor-runs.ts'

const makeRuns = openHarborRuns()

describe('a question back', () => {
  it('is asked once with both readings, and answered by the number of one', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    const { outcome } = await runs.start(question)
    expect(outcome).toMatchObject({
      status: 'needs-clarification',
      clarification: {
        question: 'By which port?',
        options: [
          { label: 'home port', hint: '2 rows' },
          { label: 'build port', hint: '1 row' },
        ],
      },
    })
    const resumed = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(resumed.outcome).toMatchObject({
      status: 'answered',
      sql: byPort[1]?.sql,
      assumptions: ['You chose: build port.'],
    })
  })

  it('says when nobody replied and the default was taken, and what else it could have been', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome } = await runs.resume(question.id, { kind: 'option', number: 1, expired: true })
    expect(outcome).toMatchObject({
      status: 'answered',
      sql: byPort[0]?.sql,
      assumptions: ['Nobody replied, so I took: home port.'],
      alternatives: [{ label: 'build port', hint: '1 row', candidateId: '0/00/semantic-parser/00.01' }],
    })
  })

  it('is not asked where that costs more than it adds; the answer tells what it took', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)], thresholds: { answer: 0.3, ask: 0.5 } })
    const { outcome } = await runs.start(asked('boats by port'))
    expect(outcome).toMatchObject({
      status: 'answered',
      sql: byPort[0]?.sql,
      assumptions: ['I took “port” as: home port.'],
      alternatives: [{ label: 'build port', hint: '1 row' }],
    })
  })

  it('is asked about candidates that no parser wrote', async () => {
    const drafts = [
      draft("select name from boats where home_port = 'Kiel'", { prior: 0.4, decisions: [] }),
      draft("select name from boats where build_port = 'Kiel'", { prior: 0.35, decisions: [] }),
    ]
    const { runs } = makeRuns({ paths: [pathOf(() => drafts, 'query-plan')] })
    const { outcome } = await runs.start(asked('which boats are from Kiel?'))
    expect(outcome).toMatchObject({
      status: 'needs-clarification',
      clarification: {
        question: 'What do you mean by “Kiel”?',
        options: [{ label: 'home port Kiel' }, { label: 'build port Kiel' }],
      },
    })
  })

  it('drafts an option of which no result is left in its own words, and asks no second time', async () => {
    const again = pathOf(text => (text.includes('(build port)') ? byPort.slice(1) : byPort))
    const { runs } = makeRuns({
      paths: [again],
      findClarification: given => {
        const found = findClarification(given)
        const gone = (found?.clarification.options ?? []).map(option =>
          option.label === 'build port' ? { ...option, candidateIds: ['gone'] } : option,
        )
        return found && { ...found, clarification: { ...found.clarification, options: gone } }
      },
      thresholds: { answer: 0.3, ask: 0.2 },
    })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome, candidates } = await runs.resume(question.id, { kind: 'option', number: 2 })
    expect(outcome.status).toBe('answered')
    expect(candidates.map(candidate => candidate.id)).toContain('1/00/semantic-parser/00.00')
  })

  it('is still asked when its job is delivered again', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    const first = await runs.start(question)
    expect((await runs.start(question)).outcome).toEqual(first.outcome)
  })

  it('takes the first of two replies', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const first = await runs.resume(question.id, { kind: 'option', number: 1 })
    expect(await runs.resume(question.id, { kind: 'option', number: 2 })).toEqual(first)
  })

  it('takes a typed reply that names one option as that option', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    expect((await runs.resume(question.id, { kind: 'text', text: 'Build' })).outcome).toMatchObject({
      status: 'answered',
      sql: byPort[1]?.sql,
    })
  })

  it.each(['yes', 'ok', 'thanks!', 'haha', ':+1:'])(
    'takes the default after “%s”, which adds nothing to the question',
    async text => {
      const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
      const question = asked('boats by port')
      await runs.start(question)
      const { outcome, candidates } = await runs.resume(question.id, { kind: 'text', text })
      expect(outcome).toMatchObject({
        status: 'answered',
        sql: byPort[0]?.sql,
        assumptions: ['Your reply named no option, so I took: home port.'],
      })
      expect(candidates).toHaveLength(2)
    },
  )

  it('takes a typed number as that option', async () => {
    const { runs } = makeRuns({ paths: [pathOf(() => byPort)] })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome } = await runs.resume(question.id, { kind: 'text', text: '2' })
    expect(outcome).toMatchObject({ sql: byPort[1]?.sql, assumptions: ['You chose: build port.'] })
  })

  it('drafts again with other words', async () => {
    const again = pathOf(text =>
      text.includes('longest')
        ? [draft('select name from boats order by length desc limit 1', { prior: 0.9 })]
        : byPort,
    )
    const { runs } = makeRuns({ paths: [again] })
    const question = asked('boats by port')
    await runs.start(question)
    const { outcome, candidates } = await runs.resume(question.id, { kind: 'text', text: 'the longest one' })
    expect(outcome).toMatchObject({ status: 'answered', sql: expect.stringContaining('order by length') })
    expect(candidates.map(candidate => candidate.id)).toContain('1/00/semantic-parser/00.00')
  })
})

import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from '../../../src/domain/answer.ts'
import { openStrategy } from '../../helpers/scripted-agents/ask-with-strategy.ts'

const question = 'Which singers are altos?'
const broken = "SELECT nam FROM singers WHERE voice = 'alto'"
const good = "SELECT name FROM singers WHERE voice = 'alto'"

const decomposition = {
  prompt: 'mac-sql/decompose',
  reply: { steps: [{ question, sql: broken }], sql: broken, missing: '', assumptions: [] },
}

const refinement = {
  prompt: 'mac-sql/refine',
  reply: { cause: 'A slip.', sql: good, missing: '', assumptions: [] },
}

describe('a published system', () => {
  it('tells what its agents are doing', async () => {
    await using open = await openStrategy({
      strategy: 'mac-sql',
      question,
      script: [decomposition, refinement],
    })
    const events: AnswerEvent[] = []
    await open.ask({ onEvent: event => events.push(event) })
    expect(events.map(({ detail }) => detail)).toEqual(
      expect.arrayContaining(['mac-sql: decomposer', 'mac-sql: refiner']),
    )
  })

  it('goes on where it was stopped, without asking again what was answered', async () => {
    const stop = new AbortController()
    await using open = await openStrategy({
      ...{ strategy: 'mac-sql', question },
      script: [decomposition, { ...refinement, onAsked: () => stop.abort() }, refinement],
    })
    await expect(open.ask({ signal: stop.signal })).rejects.toThrow()
    const { report, problems, agents } = await open.ask()
    expect([problems, agents]).toEqual([[], ['decomposer', 'refiner']])
    expect(report.outcome).toMatchObject({ status: 'answered', sql: good })
  })

  it('is what the run remembers, with its calls', async () => {
    await using open = await openStrategy({
      strategy: 'mac-sql',
      question,
      script: [decomposition, refinement],
    })
    const { report } = await open.ask()
    expect(report.trace?.strategy).toBe('mac-sql')
    expect(report.trace?.calls).toEqual([
      {
        agent: 'decomposer',
        prompt: 'mac-sql/decompose',
        model: 'scripted',
        promptTokens: 1000,
        completionTokens: 100,
      },
      {
        agent: 'refiner',
        prompt: 'mac-sql/refine',
        model: 'scripted',
        promptTokens: 1000,
        completionTokens: 100,
      },
    ])
    expect(report.trace?.waves.map(({ reason }) => reason)).toEqual([
      'mac-sql: agents asked: decomposer 1, refiner 1',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { makePhraseHeadline } from '../../../../graphs/answer/headline/phrase-headline.ts'
import { shortfallText } from '../../../../src/domain/answer-wording/shortfalls.ts'
import { makeAskForHeadline } from '../../../../src/llm/model-requests.ts'
import type { Exchange } from '../../../llm/model-server.ts'
import { playModel } from '../../../llm/play-model.ts'
import { asked, draft, openHarborRuns, pathOf } from '../harbor-runs.ts'

const harborRuns = openHarborRuns()

const saying = (headline: string): Exchange => ({ reply: JSON.stringify({ headline }), usage: [300, 20] })

/** The answer to how many boats are in each port, with headlines that a model phrases. */
const answer = async (
  script: readonly Exchange[],
  { sql = 'select count(*) as boats from boats', seesRows = true } = {},
) => {
  await using model = await playModel(script, makeAskForHeadline)
  const { runs } = harborRuns({
    paths: [pathOf(() => [draft(sql)])],
    phraseHeadline: makePhraseHeadline({ askForHeadline: model.ask, seesRows }),
  })
  const { outcome, usage, trace } = await runs.start(asked('How many boats are there?'))
  if (outcome.status !== 'answered') throw new Error(outcome.status)
  return { headline: outcome.headline, usage, trace, requests: model.seen() }
}

describe('a headline phrased by a model', () => {
  it('is shown if its figures follow from the result, and is paid for', async () => {
    const { headline, usage } = await answer([saying('There are 3 boats')])
    expect(headline).toBe('There are 3 boats')
    expect(usage).toEqual({ modelCalls: 1, promptTokens: 300, completionTokens: 20 })
  })

  it.each([
    'There are 4 boats',
    'There are 3 boats, see https://example.com',
    '',
    'There are 3 boats in Oslo',
  ])('gives way to the one of code: %s', async phrased => {
    const { headline, usage } = await answer([saying(phrased)])
    expect(headline).toBe('Boats: 3')
    expect(usage.modelCalls).toBe(1)
  })

  it('gives way if the model fails, and the details say so', async () => {
    const { headline, trace } = await answer([
      { reply: 'no JSON', usage: [10, 1] },
      { reply: 'no JSON again', usage: [10, 1] },
    ])
    expect(headline).toBe('Boats: 3')
    expect(trace?.shortfalls?.map(shortfallText)).toEqual([
      'No model phrased the headline, so code did: the model could not be reached or gave no usable reply.',
    ])
  })
})

describe('what the model sees', () => {
  const byPort = 'select home_port, count(*) as boats from boats group by 1 order by 2 desc'

  const sent = async (seesRows: boolean): Promise<string> => {
    const { requests } = await answer([saying('2 rows')], { sql: byPort, seesRows })
    return JSON.stringify(requests[0]?.messages)
  }

  it('is the question, the composed headline and the first rows, as data', async () => {
    const messages = await sent(true)
    expect(messages).toContain('<question>\\nHow many boats are there?\\n</question>')
    expect(messages).toContain('<headline>\\n2 rows\\n</headline>')
    expect(messages).toContain('<rows>\\nHome port | Boats\\nKiel | 2\\nBergen | 1\\n</rows>')
  })

  it('has no row where models see none', async () => {
    const messages = await sent(false)
    expect(messages).toContain('<headline>\\n2 rows\\n</headline>')
    expect(messages).not.toMatch(/Kiel|Bergen/)
  })
})

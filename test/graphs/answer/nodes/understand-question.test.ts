import { expect, it } from 'vitest'
import { makeUnderstandQuestion } from '../../../../graphs/answer/nodes/understand-question.ts'
import { understandQuestion } from '../../../../src/parser/understand/understand-question.ts'

type Deps = Parameters<typeof makeUnderstandQuestion>[0]

type Node = ReturnType<typeof makeUnderstandQuestion>

const understand = async (text: string) => {
  const read: string[] = []
  const deps = {
    understanding: {
      understand: (...given: Parameters<Deps['understanding']['understand']>) => {
        read.push(given[0])
        return understandQuestion(...given)
      },
    },
    talking: {},
    storing: { runStore: { saveContext: async () => {} } },
    database: async () => {
      throw new Error('a question of data needs no database yet')
    },
  } as unknown as Deps
  const question = { id: 'q', text, askedAt: '2026-11-20T12:00:00Z', timeZone: 'UTC', database: 'd' }
  const update = await makeUnderstandQuestion(deps)(
    { question } as unknown as Parameters<Node>[0],
    {} as Parameters<Node>[1],
  )
  return { ...update, read }
}

const question = (characters: number): string => `how many orders ${'x'.repeat(characters - 16)}`

it('reads a question of 1,000 characters', async () => {
  const { kind, outcome, read } = await understand(question(1000))
  expect(kind).toBe('data')
  expect(outcome).toBeUndefined()
  expect(read).toHaveLength(1)
})

it('refuses one of more, unread', async () => {
  const { outcome, read } = await understand(question(1001))
  expect(outcome).toMatchObject({ status: 'refused', why: { code: 'too-long', mostCharacters: 1000 } })
  expect(read).toEqual([])
})

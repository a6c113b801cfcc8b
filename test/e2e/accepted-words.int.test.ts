import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { resultKey } from '../../src/ranking/result-key.ts'
import { makeStore, type Store } from '../../src/store/store.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** One person's words change nobody's answers before an admin accepts them, nor after that is taken back. */

const heavies = '@querent how many heavies are there?'

let workspace: TestWorkspace

let store: Store

const simulator = () => workspace.simulator

/** Running bots use a decision within five seconds. */
const FIVE_SECONDS = 6_000

const textOf = ({ text, blocks }: RecordedMessage): string => text + JSON.stringify(blocks)

/** Asks until the answer looks as wanted: what was accepted or taken back is noticed soon. */
const askUntil = async (by: string, looks: (reply: string) => boolean): Promise<string> => {
  let last = ''
  const until = Date.now() + 3 * FIVE_SECONDS
  while (Date.now() < until) {
    const question = await workspace.ask(heavies, by)
    last = textOf(await workspace.reply(question, reply => /16|can't find|don't know/.test(textOf(reply))))
    if (looks(last)) return last
  }
  throw new Error(`no such answer: ${last}`)
}

const isKnown = (reply: string): boolean => reply.includes('16')

const propose = async () => {
  const id = randomUUID()
  await store.repositories.proposedRules.insert({
    ...{ id, database: 'cycles', questionId: randomUUID(), question: 'how many heavies are there?' },
    ...{ phrase: 'heavies', meaning: 'cargo bicycles', sql: "bicycles.kind = 'cargo'" },
    ...{ columns: ['bicycles.kind'], status: 'proposed', proposedBy: 'U0SOMEBODY', proposedAt: new Date() },
    ...{ decidedBy: null, decidedAt: null },
  })
  return id
}

beforeAll(async () => {
  workspace = await openWorkspace({ admin: 'mira', cacheMinutes: 15, costOfAsking: 1 })
  store = makeStore({ url: workspace.storeUrl, resultKey })
  await workspace.bot.start()
})

afterAll(async () => {
  await store?.close()
  await workspace?.[Symbol.asyncDispose]()
})

describe('a word that somebody explained', () => {
  it('counts for everyone once an admin accepts it, and no longer when that is taken back', async () => {
    const id = await propose()
    expect(await askUntil('jonas', reply => !isKnown(reply))).toContain('heavies')
    simulator().openHome('mira')
    const home = await simulator().until(() => {
      const view = simulator().home('mira')
      return view && JSON.stringify(view).includes('heavies') ? view : null
    }, 20_000)
    expect(JSON.stringify(home)).toContain('cargo bicycles')

    await workspace.bot.type(['knowledge', 'accept', id.slice(0, 8)])
    await askUntil('jonas', isKnown)
    // Saved, and shown again to somebody else.
    await askUntil('ada', reply => isKnown(reply) && reply.includes('saved answer'))

    await workspace.bot.type(['knowledge', 'reject', id.slice(0, 8)])
    const after = await askUntil('ada', reply => !isKnown(reply))
    expect(after).not.toContain('saved answer')
    expect(await askUntil('jonas', reply => !isKnown(reply))).not.toContain('saved answer')
  }, 180_000)
})

describe('a verified query that somebody proposed', () => {
  it('answers nobody before an admin accepts it in App Home', async () => {
    const sql = "select count(*) as heavies from bicycles where kind = 'cargo'"
    await workspace.bot.type(['verified', 'add', 'how many heavies are there?', '--sql', sql])
    expect(await askUntil('jonas', reply => !isKnown(reply))).toContain('heavies')
    const pressed = async (by: string, label: string) => {
      simulator().openHome(by)
      const view = await simulator().until(() => {
        const shown = simulator().home(by)
        return shown && JSON.stringify(shown).includes('Proposed verified queries') ? shown : null
      }, 20_000)
      await simulator().click({ by, on: { viewId: view.id }, label })
    }
    await pressed('mira', 'Accept')
    const [query] = await workspace.watcher.until(
      "select id::text, decided_by from querent.verified_queries where status = 'accepted'",
    )
    expect(query?.decided_by).toBe(simulator().people.find(({ handle }) => handle === 'mira')?.id)
    await askUntil('jonas', isKnown)

    await workspace.bot.type(['verified', 'remove', String(query?.id).slice(0, 8)])
    expect(await askUntil('ada', reply => !isKnown(reply))).not.toContain('saved answer')
  }, 180_000)
})

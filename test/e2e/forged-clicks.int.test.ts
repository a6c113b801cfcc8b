import { afterAll, beforeAll, expect, it } from 'vitest'
import { actionIds } from '../../src/slack/action-ids.ts'
import { isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** Slack signs what its own buttons send, but an app of another kind, or a bug, may send any value. */

let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await openWorkspace({ admin: 'mira' })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

const nobodysId = '00000000-0000-4000-8000-000000000000'

const values = [
  '',
  'nothing',
  `${nobodysId}`,
  `${nobodysId}:999999999999`,
  `${nobodysId}:nothing`,
  'nothing:1',
  'up:nothing',
  `down:${nobodysId}`,
  "'; drop table querent.questions; --",
  'a\u0000b',
  '{"digestId":"nothing","version":1}',
  JSON.stringify([nobodysId, 'nothing']),
]

it('a click whose value names nothing is acknowledged, changes nothing and is no error', async () => {
  const question = await workspace.ask('@querent how many bicycles are there by kind?')
  const answer = await workspace.reply(question, isTable)
  const { simulator, bot } = workspace
  const before = simulator.messages().length
  for (const id of Object.values(actionIds)) {
    const actionId = id.endsWith('_') ? `${id}0` : id
    // These ask what their value says, for the person who clicks.
    if (id === actionIds.askExample || id === actionIds.homeExample) continue
    for (const value of values) {
      const result = await simulator.click({ by: 'ada', on: answer, forged: { actionId, value } })
      expect({ actionId, value, outcome: result.outcome }).toEqual({
        actionId,
        value,
        outcome: 'acknowledged',
      })
    }
  }
  await simulator.settled()
  expect(bot.complaints()).toEqual([])
  expect(simulator.modal('ada')).toBeNull()
  const told = simulator.messages().slice(before)
  expect(told.every(({ onlyFor }) => onlyFor !== null)).toBe(true)
  expect(workspace.replies(question)).toHaveLength(1)
}, 120_000)

import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RecordedMessage } from '../../simulator/shapes/message.ts'
import { blockTypes, cells, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** A bot that never asks back: it takes a reading, says so, and offers the others. */
let workspace: TestWorkspace
const simulator = () => workspace.simulator
const words = (message: RecordedMessage): string => JSON.stringify(message.blocks)
const idOf = (handle: string): string => simulator().people.find(person => person.handle === handle)?.id ?? ''

interface Menu {
  readonly action_id: string
  readonly options: readonly { readonly value: string; readonly text: { readonly text: string } }[]
}
const menuOf = (message: RecordedMessage): Menu | undefined =>
  message.blocks
    .map(block => block.accessory as Menu | undefined)
    .find(accessory => accessory?.action_id === 'change_reading')

beforeAll(async () => {
  workspace = await openWorkspace({ costOfAsking: 1 })
  await workspace.bot.start()
})
afterAll(() => workspace?.[Symbol.asyncDispose]())

it('offers the readings it did not take beside its assumption, and takes one when told to, and back', async () => {
  const question = await workspace.ask('@querent number of hires by country')
  const answer = await workspace.reply(question, message => isTable(message) && menuOf(message) !== undefined)
  const first = JSON.stringify(cells(answer).toSorted())
  const [other] = menuOf(answer)?.options ?? []
  await simulator().click({ by: 'jonas', on: answer, actionId: 'change_reading', choice: other?.value ?? '' })
  const changed = await workspace.reply(question, message =>
    words(message).includes(`picked by <@${idOf('jonas')}>`),
  )
  expect(changed.ts).toBe(answer.ts)
  expect(JSON.stringify(cells(changed).toSorted())).not.toBe(first)

  const back = menuOf(changed)?.options.find(({ text }) => text.text === 'the first answer')
  await simulator().click({ by: 'ada', on: changed, actionId: 'change_reading', choice: back?.value ?? '' })
  const again = await workspace.reply(question, message =>
    words(message).includes(`picked by <@${idOf('ada')}>`),
  )
  expect(JSON.stringify(cells(again).toSorted())).toBe(first)
  expect(workspace.replies(question)).toHaveLength(1)
  await workspace.watcher.until("select from querent.feedback where kind = 'alternative' and person = $1", [
    idOf('jonas'),
  ])
})

it('shows what runs over time as a chart at once', async () => {
  const question = await workspace.ask('@querent how many hires are there by started on?')
  const answer = await workspace.reply(question, message => blockTypes(message).includes('image'))
  expect(words(answer)).toContain('Line chart of')
  expect(blockTypes(answer)).not.toContain('data_table')
  expect(workspace.replies(question)).toHaveLength(1)
})

import { expect, it } from 'vitest'
import { startChoosyEndpoint } from '../llm/choosy-endpoint.ts'
import { openWorkspace } from './open-workspace.ts'

/** What any prompt may be answered with: no statement, and why. */
const noStatement = JSON.stringify({
  ...{ parts: [], assembled: '', redundant: [], locate: [], operate: [], deliver: [], thought: '' },
  ...{ features: [], focused: [], phrases: [], diagnosis: '', sql: '' },
  assumptions: ['<!channel> *Helmets* are not in this database, see <https://evil.example|here>.'],
})

it('a question that models find no answer to is refused with their reason, and not answered with a count', async () => {
  await using model = await startChoosyEndpoint(noStatement, () => null)
  await using workspace = await openWorkspace({ modelUrl: model.connection.baseUrl })
  await workspace.bot.start()
  const question = await workspace.ask('@querent how many riders lost their helmets?')
  const refused = await workspace.reply(question, ({ text }) => text.includes("can't answer that"))
  expect(refused.text).toContain('“Helmets are not in this database, see.”')
  const shown = JSON.stringify(refused.blocks)
  expect(shown).toContain('Helmets are not in this database')
  expect(shown).not.toMatch(/evil|<!channel|\*Helmets/)
  expect(workspace.replies(question)).toHaveLength(1)
})

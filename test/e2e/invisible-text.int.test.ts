import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { startObedientModel } from '../adversarial/obedient.ts'
import { invisibleIn } from '../helpers/invisible-characters.ts'
import { cells, isTable } from './message-parts.ts'
import { openWorkspace, type TestWorkspace } from './open-workspace.ts'

/** One of each kind; test/lib/inert-text.test.ts has all of them. */
const hidden = '\u{e0041}\u{e007f}\u202e\u2066\u200f\u061c\u200b\u200d\u2063\ufeff\u00ad\u{e0101}\u3164'

/** Wherever somebody can write: values, names of tables and columns, terms. */
const knowledge = {
  'cycles.md': `# Terms\n\n## Freight${hidden} bikes\n\nBicycles of the kind car${hidden}go.\n`,
}

const plant = (databaseFile: string): void => {
  const file = new DatabaseSync(databaseFile)
  file.exec(`
    update bicycles set kind = 'car${hidden}go' where kind = 'cargo';
    alter table bicycles add column "frame${hidden}_colour" text;
    update bicycles set "frame${hidden}_colour" = case bicycle_id % 2 when 0 then 'r${hidden}ed' else 'green' end;
    create table "depots${hidden}" (depot_id integer primary key, "to${hidden}wn" text);
    insert into "depots${hidden}" values (1, 'Ul${hidden}m'), (2, 'Bo${hidden}nn');
  `)
  file.close()
}

const ask = async (workspace: TestWorkspace, text: string) => {
  const asked = await workspace.ask(`@querent ${text}`)
  const isOver = (blocks: unknown) => !JSON.stringify(blocks).includes('stop_question')
  return workspace.reply(asked, ({ blocks }) => blocks.length > 0 && isOver(blocks), 60_000)
}

/** What people and clients are shown: without what comes back to us, and is compared, as it is. */
const shownBy = ({ simulator }: TestWorkspace): string =>
  JSON.stringify([simulator.messages().filter(({ byBot }) => byBot), simulator.home('ada')], (name, inner) =>
    ['value', 'initial_value', 'private_metadata', 'metadata'].includes(name) ? undefined : inner,
  )

it('what nobody sees reaches no message, and values are found by it all the same', async () => {
  await using workspace = await openWorkspace({ knowledge })
  const { simulator } = workspace
  plant(workspace.databaseFile)
  await workspace.bot.start()
  const table = await ask(workspace, `how many bicycles are there by kind?${hidden}`)
  expect(isTable(table)).toBe(true)
  expect(cells(table).slice(1).toSorted()).toEqual([
    ['car  go', '16'],
    ['folding', '16'],
    ['tandem', '16'],
  ])
  for (const text of ['list all depots', 'how many bicycles are there by frame colour?', `zeb${hidden}ras?`])
    await ask(workspace, text)
  await simulator.click({ by: 'ada', on: table, label: 'Edit & rerun' })
  await simulator.until(() => simulator.modal('ada'))
  const sql = `select kind, count(*) as n from bicycles where kind = 'car${hidden}go' group by kind`
  await simulator.submitModal('ada', { sql_0: sql })
  const edited = await simulator.until(
    () => workspace.replies(table).findLast(reply => isTable(reply) && cells(reply).length === 2),
    30_000,
  )
  expect(cells(edited).slice(1)).toEqual([['car  go', '16']])
  expect(JSON.stringify(edited.blocks)).toContain('edited by')
  simulator.openHome('ada', 'home')
  await simulator.until(() => simulator.home('ada'))
  expect(invisibleIn(shownBy(workspace))).toEqual([])
  expect(simulator.problems()).toEqual([])
}, 240_000)

it('what nobody sees reaches no prompt', async () => {
  await using model = await startObedientModel([], 'select kind, count(*) from bicycles group by kind')
  await using workspace = await openWorkspace({ modelUrl: model.baseUrl, knowledge })
  plant(workspace.databaseFile)
  await workspace.bot.start()
  await ask(workspace, `how many bicycles of which kind and frame colour are there?${hidden}`)
  await ask(workspace, `how many freight${hidden} bikes are in depots?`)
  const prompts = model.prompts.join('\n')
  for (const planted of ['cargo', 'frame_colour', 'depots', 'town']) expect(prompts).toContain(planted)
  expect(invisibleIn(prompts)).toEqual([])
  expect(invisibleIn(shownBy(workspace))).toEqual([])
}, 240_000)

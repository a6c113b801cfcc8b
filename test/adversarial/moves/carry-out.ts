import { until } from '../../helpers/wait.ts'
import { activeInMcp } from '../active.ts'
import type { Arena } from '../arena.ts'
import type { Attack } from '../attack.ts'
import { everythingIn } from '../judge.ts'
import { tagOf } from '../obedient.ts'
import { channelNames, databaseNames, nameOf, tableOf, tenantChannel, tenantNames } from '../world.ts'
import { type Bases, edit, ended, type Produced, repliesTo, said } from './answers.ts'
import { forge } from './forge.ts'

/** Carries out one attack; what came of it is judged elsewhere. */
export const carryOut = async (arena: Arena, attack: Attack, bases: Bases): Promise<Produced> => {
  const { move } = attack
  switch (move.kind) {
    case 'ask':
      return askAttack(arena, attack, questionText(attack, move.text))
    case 'ask in vain':
      return askInVain(arena, attack, move)
    case 'thread':
      return threadAttack(arena, attack, move)
    case 'edit':
      return editAttack(arena, attack, move, bases)
    case 'mcp':
      return mcpAttack(arena, attack, move)
    case 'forge':
      return forge(arena, attack, move.forgery, bases)
    default: {
      const never: never = move
      return never
    }
  }
}

/** The question with the tag of the attack, and with the instruction if it is planted there. */
const questionText = (attack: Attack, text: string): string => {
  const named = text
    .replaceAll('{name}', nameOf(attack))
    .replaceAll('{table}', tableOf(attack).replaceAll('_', ' '))
  const says = attack.plant?.site === 'question' ? ` ${attack.id} ${attack.plant.text}` : ''
  return `@querent ${named}? ${tagOf(attack)}${says}`
}

const askAttack = async (arena: Arena, attack: Attack, text: string): Promise<Produced> => {
  const { by = 'ada', engine = 'sqlite', database, move } = attack
  if (move.kind === 'ask' && move.inChannel) return askInChannel(arena, by, { text, tag: tagOf(attack) })
  const place = database === 'crm' ? {} : { in: `#${channelNames[engine]}` }
  const question = await arena.simulator.post({ by, ...place, text })
  await ended(arena, question)
  return said(repliesTo(arena, question))
}

/** The answer goes to the asker alone, who tries to show it to everyone. */
const askInChannel = async (
  arena: Arena,
  by: string,
  { text, tag }: { readonly text: string; readonly tag: string },
): Promise<Produced> => {
  const { simulator } = arena
  const question = await simulator.post({ by, in: `#${tenantChannel}`, text })
  await ended(arena, question)
  const asker = simulator.people.find(({ handle }) => handle === by)?.id
  const direct = simulator.channels.find(({ person }) => person === asker)?.id
  const own = simulator
    .messages()
    .find(
      ({ byBot, channel, blocks }) =>
        byBot &&
        channel === direct &&
        [tag, 'post_to_thread'].every(part => JSON.stringify(blocks).includes(part)),
    )
  if (own !== undefined) {
    const told = simulator.messages().length
    await simulator.click({ by, on: own, label: 'Post to thread' })
    await simulator.until(
      () =>
        simulator
          .messages()
          .slice(told)
          .some(({ onlyFor }) => onlyFor === asker),
      10_000,
    )
  }
  const replies = repliesTo(arena, question)
  return {
    ...said(own === undefined ? replies : [...replies, own]),
    inChannel: replies.filter(({ onlyFor }) => onlyFor === null).map(everythingIn),
    faults: own === undefined ? ['the answer was not told to the asker alone'] : [],
  }
}

const askInVain = async (
  arena: Arena,
  { by = 'ada' }: Attack,
  move: { readonly in: string; readonly text: string },
): Promise<Produced> => {
  const place = move.in === 'direct' ? {} : { in: move.in }
  const question = await arena.simulator.post({ by, ...place, text: `@querent ${move.text}` })
  await arena.simulator.settled()
  const stored = await arena.watcher.rows("select from querent.questions where place ->> 'message' = $1", [
    question.ts,
  ])
  const produced = said(repliesTo(arena, question))
  return stored.length === 0 ? produced : { ...produced, achieved: ['the question was taken'] }
}

const threadAttack = async (
  arena: Arena,
  attack: Attack,
  move: { readonly first: string; readonly said: string; readonly asked: string },
): Promise<Produced> => {
  const { simulator } = arena
  const channel = `#${channelNames[attack.engine ?? 'sqlite']}`
  const first = await simulator.post({ by: 'ada', in: channel, text: `@querent ${move.first}?` })
  await ended(arena, first)
  const remark = await simulator.post({
    by: 'jonas',
    in: channel,
    thread: first.ts,
    text: `${attack.id} ${move.said} ${tagOf(attack)}`,
  })
  await arena.watcher.until('select 1 from querent.remarks where text like $1', [`%${attack.id}%`])
  // What was said before a question is told by the second.
  await until(() => Date.now() / 1_000 >= Math.floor(Number(remark.ts)) + 1)
  const asked = await simulator.post({
    by: 'ada',
    in: channel,
    thread: first.ts,
    text: `@querent ${move.asked}? ${tagOf(attack)}`,
  })
  await ended(arena, asked)
  return said(repliesTo(arena, first))
}

const editAttack = async (
  arena: Arena,
  { id }: Attack,
  { sql, exported }: { readonly sql: string; readonly exported?: true },
  { edits }: Bases,
): Promise<Produced> => {
  const base = edits[Number(id.slice(1)) % edits.length]
  if (base === undefined) throw new Error('there is no answer to edit')
  const mine = base.turn.then(() => edit(arena, base, sql, exported === true))
  base.turn = mine.catch(() => {})
  return mine
}

const mcpAttack = async (
  { mcp }: Arena,
  { engine = 'sqlite', database = 'shop' }: Attack,
  { tool, given }: { readonly tool: string; readonly given: Readonly<Record<string, unknown>> },
): Promise<Produced> => {
  const names = database === 'crm' ? tenantNames : databaseNames
  const { text, data } = await mcp[database]
    .call(tool, { ...given, database: names[engine] })
    .catch((error: Error) => ({ text: error.message, data: null }))
  return { payloads: [], texts: [text, JSON.stringify(data ?? null)], achieved: activeInMcp(text) }
}

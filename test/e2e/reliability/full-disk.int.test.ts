import { expect, it } from 'vitest'
import { withClient } from '../../helpers/with-client.ts'
import { isTable } from '../message-parts.ts'
import { openWorkspace } from '../open-workspace.ts'

/** The error of a Postgres whose disk has no room, at a step in the middle of a question. */
const fillDisk = `
  create function no_room() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_room before insert on querent.answers for each row execute function no_room()`

it('a question that comes while the disk of the store is full is answered once there is room', async () => {
  await using workspace = await openWorkspace()
  const { bot, simulator, storeUrl } = workspace
  const started = await bot.start()
  await withClient(storeUrl, client => client.query(fillDisk))
  const question = await workspace.ask('@querent how many bicycles are there by kind?')
  await expect
    .poll(() => bot.complaints().join('\n'), { timeout: 60_000 })
    .toContain('make room on the disk of its server')
  expect(workspace.replies(question).filter(isTable)).toEqual([])
  await withClient(storeUrl, client => client.query('drop trigger no_room on querent.answers'))
  await workspace.reply(question, isTable, 120_000)
  expect(workspace.replies(question)).toHaveLength(1)
  expect(simulator.problems()).toEqual([])
  expect(started.lines.filter(line => line.includes('the bot crashed'))).toEqual([])
  expect(await started.end('SIGTERM', 30_000)).toEqual({ code: 0, signal: null })
}, 240_000)

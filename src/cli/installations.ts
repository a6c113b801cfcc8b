import Table from 'cli-table3'
import { readSealingKeys } from '../config/workspaces.ts'
import { QuerentError } from '../domain/errors.ts'
import type { Installation } from '../domain/operations/workspace.ts'
import { makeSealer } from '../store/sealer.ts'
import { makeRotateKeys } from '../workspaces/bot-account.ts'
import { makeRemoveInstallation } from '../workspaces/installation.ts'
import type { CommandContext } from './command-context.ts'
import { installationsCopy as copy } from './copy/operations.ts'
import { writeJson } from './terminal.ts'

/** The arguments of the `installations` commands. */
interface InstallationsOptions {
  readonly id?: string
  readonly json?: boolean
}

/** `installations list`: the workspaces that installed the app, without their tokens. */
export const runInstallationsList = async (
  { json }: InstallationsOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal } = context
  const all = await (await openStore(context)).repositories.installations.list()
  context.clearProgress()
  if (json) writeJson(terminal.out, all.map(installationToJson))
  else if (all.length === 0) terminal.out.write(`${copy.none}\n`)
  else terminal.out.write(`${installationTable(all)}\n`)
  return 0
}

/** `installations remove`: deletes the tokens of a workspace and pauses its digests, as if it had uninstalled the app. */
export const runInstallationsRemove = async (
  { id = '', json }: InstallationsOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal, log } = context
  const { inTransaction, repositories } = await openStore(context)
  const remove = makeRemoveInstallation({
    inTransaction,
    remove: (team, by, tx) => repositories.installations.remove(team, by, tx),
    pauseDigests: (team, pause, tx) => repositories.digests.pauseTeam(team, pause, tx),
    // Running processes cache installations for a minute.
    forget: () => {},
    now: () => context.now,
    log,
  })
  const removed = await remove(id, new Date())
  context.clearProgress()
  if (!removed) throw new QuerentError('bad-arguments', copy.notInstalled(id))
  if (json) writeJson(terminal.out, { removed: id })
  else terminal.out.write(`${copy.removed(id)}\n`)
  return 0
}

/** `installations rotate-keys`: encrypts tokens again with the first key if another key encrypted them. */
export const runInstallationsRotateKeys = async (
  { json }: InstallationsOptions,
  context: CommandContext,
): Promise<number> => {
  const { terminal, config } = context
  const written = config.slack.encryptionKeys
  if (!written) throw new QuerentError('bad-configuration', copy.noKeys)
  const keys = readSealingKeys(written.reveal())
  const { inTransaction, repositories } = await openStore(context)
  const { installations } = repositories
  const done = await makeRotateKeys({
    inTransaction,
    list: () => installations.list(),
    lock: (team, tx) => installations.lock(team, tx),
    storeSealed: (team, sealed, tx) => installations.storeSealed(team, sealed, tx),
    sealer: makeSealer(keys),
  })()
  context.clearProgress()
  if (json) writeJson(terminal.out, { ...done, key: keys[0]?.id })
  else terminal.out.write(`${copy.rotated(done.resealed, done.workspaces, keys[0]?.id ?? '')}\n`)
  return 0
}

const openStore = async ({ resources }: CommandContext) => (await resources.ownStore()).store

const installationToJson = (installation: Installation) => ({
  team: installation.team,
  name: installation.teamName,
  installedAt: installation.installedAt.toISOString(),
  expiresAt: installation.expiresAt?.toISOString() ?? null,
  key: sealingKeyName(installation),
  failure: installation.failure && {
    reason: installation.failure.reason,
    at: installation.failure.at.toISOString(),
  },
})

/** The name of the key that encrypted its tokens. */
const sealingKeyName = ({ sealed }: Installation): string => sealed.split(':')[1] ?? ''

const installationTable = (all: readonly Installation[]): string => {
  const table = new Table({
    style: { head: [], border: [], compact: true },
    head: [...copy.head],
    colWidths: [14, 30, 18, 44, 12],
    wordWrap: true,
  })
  const short = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ')
  for (const one of all) {
    const lasts = one.expiresAt ? copy.expires(short(one.expiresAt)) : copy.neverExpires
    const token = one.failure ? copy.notRefreshed(lasts, one.failure.reason) : lasts
    table.push([one.team, one.teamName, short(one.installedAt), token, sealingKeyName(one)])
  }
  return table.toString()
}

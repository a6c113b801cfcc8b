import { classRightsKey, hasGroupsFor } from '../../access/rights/resolve-rights.ts'
import type { Config } from '../../config/config.ts'
import { parseDatabaseRef } from '../../domain/database.ts'
import type { Log } from '../../domain/operations/telemetry.ts'
import { mapInParallel } from '../../lib/concurrency.ts'
import { ownCommand } from '../../lib/project.ts'
import type { Resources } from '../resources.ts'
import { accessSettings } from '../slack/access.ts'

/** Indexing reads a lot: more at a time would slow down the questions that are asked meanwhile. */
const AT_ONCE = 2

/**
 * Opens and indexes the databases beside the one that is open, in the order of querent.yml, so that the first question
 * about each does not wait for it. The glossaries of channels are opened too. Never rejects: a database that cannot be
 * opened is logged, and its first question tries again. When the signal fires, no more are opened, and those being
 * opened are left to the questions that wait for them.
 */
export const openInBackground = async (
  {
    config,
    openAhead,
    openDatabase,
    log,
  }: Pick<Resources, 'openAhead' | 'openDatabase'> & {
    readonly config: BackgroundConfig
    readonly log: Log
  },
  { opened, signal }: { readonly opened: string; readonly signal: AbortSignal },
): Promise<void> => {
  const others = Object.keys(config.databases).filter(name => name !== opened)
  const further = others.filter(name => isSeenWhole(config, name))
  const inParts = others.filter(name => !isSeenWhole(config, name))
  const glossaries = viewsWithGlossary(config, opened)
  if (further.length > 0) log.info({ databases: further }, 'opening the other databases in the background')
  if (inParts.length > 0)
    log.info(
      { databases: inParts },
      'people see only parts of these databases (access.groups); each part is indexed at its first question',
    )

  const open = async (name: string): Promise<void> => {
    if (name !== opened) {
      const { tables, columns, milliseconds, isNew } = await openAhead(name, { signal })
      // With its semantic layer, which the first question would otherwise wait for.
      await openDatabase(name, { signal })
      log.info(
        { database: name, tables, columns, milliseconds, isNew },
        'the database is ready for questions',
      )
    }
    for (const view of glossaries)
      if (parseDatabaseRef(view).database === name) await openDatabase(view, { signal })
  }

  await mapInParallel([opened, ...further], AT_ONCE, async name => {
    if (signal.aborted) return
    await open(name).catch((error: unknown) => {
      if (!signal.aborted)
        log.warn(
          { error, database: name },
          `the database could not be opened in the background; its first question tries again. To find out why, run \`${ownCommand('doctor')}\``,
        )
    })
  })
}

type BackgroundConfig = Pick<Config, 'databases' | 'channels' | 'otherChannels' | 'directMessages' | 'rights'>

/** Whether anyone's questions read a database as a whole. Each part that others see is a view with an index of its own. */
const isSeenWhole = ({ rights }: BackgroundConfig, database: string): boolean =>
  !hasGroupsFor(rights, database) ||
  rights.groups.some(({ name }) => classRightsKey(rights, name, database) === 'open')

/** What locations with a glossary ask: their database with its words. */
const viewsWithGlossary = (config: BackgroundConfig, byDefault: string): readonly string[] => {
  const { channels, otherChannels, directMessages } = accessSettings(config, byDefault)
  const locations = [...Object.values(channels), otherChannels, directMessages]
  const views = new Set(locations.flatMap(location => (location === null ? [] : [location.database])))
  return [...views].filter(view => parseDatabaseRef(view).glossary !== null)
}

import { randomBytes, randomUUID } from 'node:crypto'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { generateWarehouse } from '../../../fixtures/warehouse/generate-warehouse.ts'
import { warehouseSchema } from '../../../fixtures/warehouse/warehouse-schema.ts'
import type { Log, OnProgress } from '../../domain/operations/telemetry.ts'
import type { EmbeddedServer } from '../../store/embedded/embedded-server.ts'
import { buildSampleCompany } from '../../store/sample-company/sample-company.ts'

/** Builds the sample company on the embedded server if it is missing or of another day; returns the reader's URL. */
export const buildSampleCompanyOn = async (
  server: EmbeddedServer,
  options: {
    /** The last day of data, `YYYY-MM-DD`. */
    readonly asOf: string
    readonly onProgress: OnProgress
    readonly log: Log
  },
): Promise<string> => {
  const { asOf, onProgress, log } = options
  const company = await buildSampleCompany({
    adminUrl: server.adminUrl,
    asOf,
    schema: warehouseSchema,
    generate: generateWarehouse,
    readerPassword: await loadReaderPassword(server.folder),
    log,
    onProgress: ({ done, total }) =>
      onProgress({ doing: 'Building the sample company', share: total === 0 ? 1 : done / total }),
  })
  return company.url
}

/**
 * The password of the sample company's reader: created once and stored beside the server, readable only by its owner.
 * It is written completely before it gets its name, so that two processes that start together use the same one.
 */
export const loadReaderPassword = async (folder: string): Promise<string> => {
  const file = join(folder, 'reader-password')
  const draft = `${file}.${randomUUID()}`
  await writeFile(draft, randomBytes(24).toString('base64url'), { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}

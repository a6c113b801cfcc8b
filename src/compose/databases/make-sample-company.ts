import { generateWarehouse } from '../../../fixtures/warehouse/generate-warehouse.ts'
import { warehouseSchema } from '../../../fixtures/warehouse/warehouse-schema.ts'
import type { Log } from '../../core/log.ts'
import type { EmbeddedServer } from '../../store/embedded/start-embedded-server.ts'
import { buildSampleCompany } from '../../store/sample-company/build-sample-company.ts'
import type { OnProgress } from '../progress.ts'
import { loadReaderPassword } from './reader-password.ts'

/** Builds the sample company on the embedded server when it is missing or of another day; the URL of its reader. */
export const makeSampleCompany =
  (deps: {
    readonly server: () => Promise<EmbeddedServer>
    /** Up to which day the books go, `YYYY-MM-DD`. */
    readonly asOf: string
    readonly onProgress: OnProgress
    readonly log: Log
  }) =>
  async (): Promise<string> => {
    const server = await deps.server()
    const company = await buildSampleCompany({
      adminUrl: server.adminUrl,
      asOf: deps.asOf,
      schema: warehouseSchema,
      generate: generateWarehouse,
      readerPassword: await loadReaderPassword(server.folder),
      log: deps.log,
      onProgress: ({ done, total }) =>
        deps.onProgress({ doing: 'Building the sample company', share: total === 0 ? 1 : done / total }),
    })
    return company.url
  }

import { makeFindClarification } from '../../clarification/find-clarification.ts'
import type { FindClarification } from '../../core/clarification.ts'
import { describeSql } from '../../selection/back-reading/describe-sql.ts'

/** Questions back whose choices are told by the whole statement where no single difference tells them apart. */
export const findDescribedClarification: FindClarification = makeFindClarification({
  describe: (sql, catalog) => describeSql(sql, catalog)?.text ?? null,
})

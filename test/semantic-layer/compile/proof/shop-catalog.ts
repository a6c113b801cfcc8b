import type { Catalog, Table } from '../../../../src/domain/catalog.ts'
import type { ValueKind } from '../../../../src/domain/result.ts'
import type { Dialect } from '../../../../src/domain/sql.ts'
import { makeColumn } from '../../../helpers/make-column.ts'
import { makeTable } from '../../../helpers/make-table.ts'

/** Columns by name and kind; `!` for those that are never NULL. */
const tables: Readonly<Record<string, string>> = {
  customers: 'id:integer! name:text! country:text is_business:boolean! signed_up:date! referred_by:integer',
  employees: 'id:integer! first_name:text! last_name:text! manager_id:integer hired_on:date',
  categories: 'id:integer! name:text!',
  products: 'id:integer! name:text! category_id:integer price:number! cost_cents:integer',
  tags: 'id:integer! name:text!',
  product_tags: 'product_id:integer! tag_id:integer!',
  orders:
    'id:integer! customer_id:integer seller_id:integer! approver_id:integer status:text! placed_at:timestamp! shipped_at:timestamp due_on:date paid_at:timestamp freight:number',
  order_lines:
    'id:integer! order_id:integer! product_id:integer quantity:integer! unit_price:number! discount:number',
  tickets:
    'id:integer! customer_id:integer! opened_at:timestamp! closed_at:timestamp minutes:integer topic:text',
}

const keys: Readonly<Record<string, string>> = {
  'customers.referred_by': 'customers',
  'employees.manager_id': 'employees',
  'products.category_id': 'categories',
  'product_tags.product_id': 'products',
  'product_tags.tag_id': 'tags',
  'orders.customer_id': 'customers',
  'orders.seller_id': 'employees',
  'orders.approver_id': 'employees',
  'order_lines.order_id': 'orders',
  'order_lines.product_id': 'products',
  'tickets.customer_id': 'customers',
}

const tableOf = (name: string): Table =>
  makeTable(
    name,
    tables[name]!.split(' ').map(text => {
      const [column, type] = text.replace('!', '').split(':') as [string, ValueKind]
      return makeColumn(column, {
        kind: type,
        nullable: !text.endsWith('!'),
        type: column === 'paid_at' ? 'timestamp with time zone' : type,
      })
    }),
    { primaryKey: name === 'product_tags' ? ['product_id', 'tag_id'] : ['id'] },
  )

/** The catalog of the shop as a database of a dialect would describe it. */
export const shopCatalog = (dialect: Dialect): Catalog => ({
  dialect,
  tables: Object.keys(tables).map(tableOf),
  foreignKeys: Object.entries(keys).map(([from, to]) => {
    const [table, column] = from.split('.') as [string, string]
    return {
      from: { table, columns: [column] },
      to: { table: to, columns: ['id'] },
      source: 'declared',
      inclusion: null,
    }
  }),
  fingerprint: 'shop',
})

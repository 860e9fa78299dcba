/** Writes `mocks/seed/names.json`: the names that seeded organizations are made of, drawn from faker. */
import { writeFileSync } from 'node:fs'
import { faker } from '@faker-js/faker/locale/en'

/** Draws `count` different names of a kind. */
const some = (count: number, draw: () => string) => faker.helpers.uniqueArray(draw, count)

faker.seed(4402)
const words = {
  firstNames: some(64, () => faker.person.firstName()),
  lastNames: some(96, () => faker.person.lastName()),
  products: some(48, () => faker.commerce.productName()),
  departments: some(12, () => faker.commerce.department()),
  mottos: some(48, () => faker.company.catchPhrase()),
}
writeFileSync('mocks/seed/names.json', `${JSON.stringify(words, null, 2)}\n`)

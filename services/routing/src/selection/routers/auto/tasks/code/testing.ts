import { task } from '../task.ts';

export const codeTesting = task('code:testing', 'code', {
  strong:
    'unit test, unittest*, test case, testfälle, pytest, vitest, junit, phpunit, rspec, mocha, cypress, ' +
    'playwright, integration test, property test, property-based, test coverage, write tests, ' +
    'pruebas unitarias, tests unitaires, komponententest*, edge cases should, what should i test, ' +
    'test plan, e2e test, jest, mock the, mock a, increase the coverage, tests pour, tests für, ' +
    'test fälle, cases should i test, how to test, test a, tests in, fake timers, test double, ' +
    'login flow test, generate tests, add tests, tests for, a test for, test suite, testing library, ' +
    'test this, load test, regression test, selenium, mutation test, escribe tests, schreib tests, ' +
    'schreibe tests, table-driven test, test here, would you test, in pytest, in vitest, in jest, ' +
    'in junit, raises an exception, check that a function, pytest.raises, jest tests, tests with, ' +
    'test with, write tests for, add missing test, missing test cases, happy path, property based, ' +
    'hypothesis for, cargo-fuzz, fuzz test, fuzzing, gherkin, given when then, cucumber, test strategy, ' +
    'test data, test pyramid, acceptance test, acceptance criteria, smoke test, end to end test, ' +
    'end-to-end test, e2e, snapshot testing, branch coverage, code coverage, mock fetch, mocked, stubs, ' +
    'sinon, mocha chai, chai, testcontainers, locust, jmeter, storybook tests, test runner, xunit, ' +
    'nunit, mockito, doctest, tdd, without waiting, how can i test, how to unit test, assert that, ' +
    'einen test, unit-tests, grenzfälle, testfall, testdaten, tests unitarios, casos límite, ' +
    'casos de prueba, test unitaire, cas limites, tests de charge, 单元测试, 测试用例, 写测试, 边界情况, 集成测试, 测试代码, ' +
    'ユニットテスト, テストケース, テストを書, テストコード, 単体テスト, юнит-тест*, тесты на, напиши тесты, тестов, write specs, ' +
    'specs for, verify with, simuliere, parametrize, error branch, failure modes, scenarios to try',
  words:
    'mock, mocks, mocking, stub, coverage, fixture*, test for, assertions, snapshot test, tests, assert, ' +
    'spy, cases, test, tested, testing, test cases, tester, qa engineer, negative cases, ' +
    'rolls back after, faker, expect',
  weak: 'pruebas, testen, edge cases',
});

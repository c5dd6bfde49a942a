package io.silkkv.ops;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The shape of the code base: who may know whom, and what must not creep in. */
@AnalyzeClasses(packages = "io.silkkv", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  private static final String ENGINE = "io.silkkv.engine..";
  private static final String RAFT_SM = "io.silkkv.raftsm..";
  private static final String ROUTER = "io.silkkv.router..";
  private static final String WIRE = "io.silkkv.v1..";
  private static final String NODE = "io.silkkv.node..";
  private static final String CLIENT = "io.silkkv.client..";
  private static final String OPS = "io.silkkv.ops..";
  private static final String ENGINE_BENCH = "io.silkkv.ops.bench.engine..";
  private static final String ENGINE_COMMANDS = "io.silkkv.ops.engine..";

  /** Generated code follows its generator's rules. */
  private static final DescribedPredicate<JavaClass> HAND_WRITTEN =
      DescribedPredicate.not(resideInAPackage(WIRE)).as("hand-written classes");

  @ArchTest static final ArchRule engineKnowsNoOtherModule = mayKnowOnly(ENGINE);

  @ArchTest static final ArchRule routerKnowsNoOtherModule = mayKnowOnly(ROUTER, WIRE);

  @ArchTest static final ArchRule wireContractKnowsNoOtherModule = mayKnowOnly(WIRE);

  @ArchTest
  static final ArchRule raftSmKnowsEngineAndRouter = mayKnowOnly(RAFT_SM, ENGINE, ROUTER, WIRE);

  @ArchTest static final ArchRule clientKnowsRouter = mayKnowOnly(CLIENT, ROUTER, WIRE);

  @ArchTest
  static final ArchRule nodeKnowsRaftSmEngineAndRouter =
      mayKnowOnly(NODE, RAFT_SM, ENGINE, ROUTER, WIRE);

  @ArchTest
  static final ArchRule opsKnowsNodeClientAndRouterAndItsBenchmarksTheEngine =
      mayKnowOnly(OPS, NODE, CLIENT, ROUTER, WIRE, ENGINE);

  @ArchTest
  static final ArchRule onlyEngineBenchmarksAndToolsReachPastTheNode =
      noClasses()
          .that()
          .resideInAPackage(OPS)
          .and()
          .resideOutsideOfPackages(ENGINE_BENCH, ENGINE_COMMANDS)
          .should()
          .dependOnClassesThat()
          .resideInAPackage(ENGINE)
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule packagesAreFreeOfCycles =
      slices().matching("io.silkkv.(**)").should().beFreeOfCycles().allowEmptyShould(true);

  @ArchTest
  static final ArchRule engineIsFreeOfConsensusAndNetwork =
      noClasses()
          .that()
          .resideInAPackage(ENGINE)
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.ratis..", "io.grpc..", "com.google.protobuf..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule ratisStaysInTwoPlaces =
      noClasses()
          .that()
          .resideOutsideOfPackages(RAFT_SM, "io.silkkv.node.raft..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.ratis..")
          .allowEmptyShould(true);

  /**
   * The file system seam is open to raft-sm and node, whose own files want the same fakes, and to
   * the benchmark of the engine, which gives it files and reads their counters.
   */
  @ArchTest
  static final ArchRule engineInternalsStayInside =
      noClasses()
          .that()
          .resideOutsideOfPackage(ENGINE)
          .should()
          .dependOnClassesThat(
              resideInAPackage(ENGINE)
                  .and(
                      DescribedPredicate.not(
                          resideInAnyPackage(
                              "io.silkkv.engine", "io.silkkv.engine.api", "io.silkkv.engine.io"))))
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule fileSystemSeamIsForRaftSmNodeAndEngineBenchmarks =
      noClasses()
          .that()
          .resideOutsideOfPackages(ENGINE, RAFT_SM, NODE, ENGINE_BENCH)
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.silkkv.engine.io")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule namesSayWhatAClassIs =
      noClasses()
          .that(HAND_WRITTEN)
          .should()
          .haveNameMatching(".*(Impl|Util|Utils|Helper|Manager)")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule publicFieldsAreFinal =
      fields()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat(HAND_WRITTEN)
          .should()
          .beFinal()
          .allowEmptyShould(true);

  /** Classes of the module may depend on the module, on the given ones and on what is not ours. */
  private static ArchRule mayKnowOnly(String module, String... others) {
    return classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat(
            DescribedPredicate.not(resideInAPackage("io.silkkv.."))
                .or(resideInAPackage(module))
                .or(resideInAnyPackage(others)))
        .allowEmptyShould(true);
  }
}

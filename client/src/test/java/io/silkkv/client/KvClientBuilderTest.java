package io.silkkv.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KvClientBuilderTest {
  @Test
  void aClientNeedsAnEndpoint() {
    assertThatThrownBy(() -> KvClient.builder().build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one endpoint");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "host", "host:", ":7400", "host:0", "host:99999", "host:x", "::1:80"})
  void aMalformedEndpointIsNamed(String endpoint) {
    assertThatThrownBy(() -> KvClient.builder().endpoint(endpoint))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("endpoint '" + endpoint + "' must be host:port");
  }

  @Test
  void addressesOfBothFamiliesAreUnderstood() {
    assertThat(Endpoint.parse("localhost:7400")).isEqualTo(new Endpoint("localhost", 7400));
    assertThat(Endpoint.parse("[::1]:7400")).isEqualTo(new Endpoint("::1", 7400));
    assertThat(Endpoint.parse("[::1]:7400")).hasToString("[::1]:7400");
  }

  @Test
  void impossibleLimitsAreRefused() {
    KvClientBuilder builder = KvClient.builder();
    assertThatThrownBy(() -> builder.deadline(Duration.ZERO)).hasMessageContaining("deadline");
    assertThatThrownBy(() -> builder.deadline(Duration.ofDays(2)))
        .hasMessageContaining("at most one day");
    assertThatThrownBy(() -> builder.attemptTimeout(Duration.ofSeconds(-1)))
        .hasMessageContaining("attempt timeout");
    assertThatThrownBy(() -> builder.maxInFlightCalls(0)).hasMessageContaining("is 0");
    assertThatThrownBy(() -> builder.maxInFlightBytes(1024)).hasMessageContaining("is 1024");
  }
}

package io.silkkv.raftsm.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.silkkv.engine.api.Slice;
import io.silkkv.engine.api.WriteBatch;
import io.silkkv.raftsm.command.EntryFormatException.Fault;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class EntryCodecTest {

  @Test
  void theFormatOfAnEntryDoesNotChange() {
    Command full =
        new Command(
            new SessionStamp(new UUID(0x0102030405060708L, 0x090a0b0c0d0e0f10L), 300, 299),
            List.of(
                new Condition.Absent(Slice.utf8("a")),
                new Condition.Present(Slice.utf8("b")),
                new Condition.VersionEquals(Slice.utf8("c"), 128),
                new Condition.ValueEquals(Slice.utf8("d"), Slice.utf8("v"))),
            new WriteBatch().put(Slice.utf8("k"), Slice.utf8("value")).delete(Slice.utf8("x")));
    Command plain = Command.of(new WriteBatch());

    byte[] entry =
        EntryCodec.entry(
            1_700_000_000_000L, List.of(EntryCodec.encode(full), EntryCodec.encode(plain)));

    assertThat(HexFormat.of().formatHex(entry))
        .isEqualTo(
            "01" // version
                + "80d095ffbc31" // leader millis
                + "02" // commands
                + "01" // with session
                + "0102030405060708090a0b0c0d0e0f10"
                + "ac02" // sequence 300
                + "ab02" // acknowledged below 299
                + "04" // conditions
                + "010161"
                + "020162"
                + "0301638001"
                + "0401640176"
                + "02" // mutations
                + "01016b0576616c7565"
                + "020178"
                + "000000" // the plain command
                + HexFormat.of().toHexDigits(crcOf(entry)));
  }

  @Test
  void whatWasEncodedIsDecoded() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int round = 0; round < 300; round++) {
      List<Command> commands = RandomCommands.some(random, random.nextInt(5));
      List<byte[]> encoded = commands.stream().map(EntryCodec::encode).toList();
      long millis = random.nextLong() >>> 1;

      LogEntry entry = EntryCodec.decode(EntryCodec.entry(millis, encoded));

      assertThat(entry.leaderMillis()).as("seed %d", seed).isEqualTo(millis);
      assertThat(entry.commands().stream().map(EntryCodec::encode).toList())
          .as("seed %d", seed)
          .usingElementComparator(java.util.Arrays::compare)
          .isEqualTo(encoded);
      for (int i = 0; i < commands.size(); i++) {
        Command decoded = entry.commands().get(i);
        assertThat(decoded.session()).isEqualTo(commands.get(i).session());
        assertThat(decoded.conditions()).isEqualTo(commands.get(i).conditions());
        assertThat(decoded.mutations().mutations())
            .isEqualTo(commands.get(i).mutations().mutations());
      }
    }
  }

  @Test
  void anEntryOfANewerReleaseIsNamed() {
    byte[] entry = EntryCodec.entry(1, List.of());
    entry[0] = 2;

    assertThatThrownBy(() -> EntryCodec.decode(entry))
        .isInstanceOfSatisfying(
            EntryFormatException.class, e -> assertThat(e.fault()).isEqualTo(Fault.TOO_NEW))
        .hasMessageContaining("format version 2")
        .hasMessageContaining("use a newer SilkKV");
  }

  @Test
  void everyDamagedEntryIsRefusedAndNothingElseHappens() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] entry =
        EntryCodec.entry(
            77, RandomCommands.some(random, 6).stream().map(EntryCodec::encode).toList());

    for (int length = 0; length < entry.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(entry, length);
      assertThatThrownBy(() -> EntryCodec.decode(cut))
          .as("seed %d, cut to %d bytes", seed, length)
          .isInstanceOf(EntryFormatException.class)
          .hasMessageContaining("log entry");
    }
    for (int bit = 0; bit < 8 * entry.length; bit++) {
      byte[] flipped = entry.clone();
      flipped[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(() -> EntryCodec.decode(flipped))
          .as("seed %d, bit %d flipped", seed, bit)
          .isInstanceOf(EntryFormatException.class);
    }
  }

  @Test
  void nonsenseWithAGoodChecksumIsRefusedToo() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    byte[] body =
        EntryCodec.entry(
            77, RandomCommands.some(random, 4).stream().map(EntryCodec::encode).toList());
    List<byte[]> survivors = new ArrayList<>();
    for (int round = 0; round < 5_000; round++) {
      byte[] bytes = body.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        bytes[1 + random.nextInt(bytes.length - 5)] = (byte) random.nextInt(256);
      }
      int crc = crcOf(bytes);
      for (int i = 0; i < 4; i++) {
        bytes[bytes.length - 4 + i] = (byte) (crc >>> (24 - 8 * i));
      }
      try {
        EntryCodec.decode(bytes);
        survivors.add(bytes);
      } catch (EntryFormatException expected) {
        assertThat(expected.fault()).as("seed %d", seed).isEqualTo(Fault.CORRUPT);
      }
    }
    // Changed keys, values and numbers are still entries: they must decode to what they encode.
    for (byte[] bytes : survivors) {
      LogEntry entry = EntryCodec.decode(bytes);
      List<byte[]> again = entry.commands().stream().map(EntryCodec::encode).toList();
      assertThat(EntryCodec.entry(entry.leaderMillis(), again))
          .as("seed %d", seed)
          .isEqualTo(bytes);
    }
  }

  private static int crcOf(byte[] entry) {
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(entry, 0, entry.length - 4);
    return (int) crc.getValue();
  }
}

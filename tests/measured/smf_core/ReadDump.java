import com.ibm.smf.format.DefaultFilter;
import com.ibm.smf.format.ISmfFile;
import com.ibm.smf.format.Interpreter;
import com.ibm.smf.format.SMFFilter;
import com.ibm.smf.format.SmfRecord;
import com.ibm.smf.format.SmfStream;
import com.ibm.smf.format.Triplet;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.FileInputStream;
import java.io.IOException;

/**
 * Gives SMF_CORE the records of a dump with record descriptor words, as z/OS gives them to it: without these words.
 * Prints what SMF_CORE makes of each: type, subtype, system, subsystem, length, date, and triplets of RMF.
 */
public class ReadDump implements ISmfFile, SMFFilter {
  private DataInputStream input;

  public void open(String name) throws IOException {
    input = new DataInputStream(new FileInputStream(name));
  }

  public void close() throws IOException {
    input.close();
  }

  public byte[] read() throws IOException {
    int length;
    try {
      length = input.readUnsignedShort();
    } catch (EOFException end) {
      return null;
    }
    if (input.readUnsignedShort() != 0) throw new IOException("a spanned record");
    byte[] record = new byte[length - 4];
    input.readFully(record);
    return record;
  }

  public boolean initialize(String parms) {
    return true;
  }

  public boolean preParse(SmfRecord record) {
    return true;
  }

  public SmfRecord parse(SmfRecord record) {
    return DefaultFilter.commonParse(record);
  }

  public void processRecord(SmfRecord record) {
    StringBuilder line = new StringBuilder();
    line.append(record.type()).append(' ').append(record.subtype()).append(' ').append(record.sid()).append(' ');
    line.append(record.m_subsysid).append(' ').append(record.rawRecord().length + 4).append(' ');
    line.append(record.date().getTime() / 1000);
    if (!"RMF".equals(record.m_subsysid)) {
      System.out.println(line);
      return;
    }
    SmfStream rest = new SmfStream(record.rawRecord());
    rest.skip(20);
    int triplets = rest.getInteger(2);
    rest.skip(2);
    for (int at = 0; at < triplets; at++) {
      Triplet triplet = new Triplet(rest, 4, 2, 2);
      line.append(' ').append(triplet.offset()).append('/').append(triplet.length()).append('/').append(triplet.count());
    }
    System.out.println(line);
  }

  public void processingComplete() {}

  public static void main(String[] files) throws Exception {
    ReadDump dump = new ReadDump();
    dump.open(files[0]);
    Interpreter.interpret(dump, dump);
  }
}
